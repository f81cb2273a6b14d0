"""mem0's REST API over a space: its clients work unchanged, with a token of ours as their key.

`filters` reads what a client asks for, `memories` says what an entry looks like to it, `adding`
turns messages into entries, `routes` is the table.
"""
