"""One drawable description of a battle for every screen, and what tables offer beside the questions."""
