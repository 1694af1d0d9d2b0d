"""What a seat may know, what is drawn of it, and what the table offers beside the questions."""
