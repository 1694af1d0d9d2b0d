"""Charges of ranked blocks: lanes, alignment, contact, and the search for them."""
