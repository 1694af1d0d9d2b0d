"""Invitations: links that are claimed by the first who opens them, and whoever made the match looks after them."""
