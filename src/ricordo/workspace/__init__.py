"""The workspace: a folder of files per space, and its history in git. It knows no entries."""
