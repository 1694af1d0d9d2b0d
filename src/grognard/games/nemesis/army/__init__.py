"""Chapters 3.2 and 5: reference sheets and army lists: what they say."""
