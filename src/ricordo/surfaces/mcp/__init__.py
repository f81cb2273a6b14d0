"""The MCP server: the registry's tools, resources, prompts and change notices, over stdio and HTTP.

`server` puts it together. Space, toolset and session come from the connection (`reach`), never from
the arguments of a tool.
"""
