"""This folder is where `logs` and `conversations` are found."""
