"""Chapters 3 and 12.D: formations, command groups, reforms, and setting units down."""
