"""This folder is where the servers for tests are found."""
