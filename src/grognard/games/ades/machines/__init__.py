"""Chapters 10 and 11: war weapons with their crews, transports, titans."""
