"""Datasheets, detachments and army lists: what they say."""
