"""Cards, weapons, powers and army lists: what they say, what they are worth, what the book has against them."""
