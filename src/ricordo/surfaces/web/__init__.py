"""The inspector's files: one page, its scripts and its styles, served by `http.inspector`.

Nothing is built and nothing is loaded from elsewhere. A text of a memory is hostile: it goes into
the page as text, never as markup.
"""
