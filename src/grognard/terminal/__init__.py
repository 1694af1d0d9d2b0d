"""The table in the terminal: what each command shows and asks. Draws what it is handed; knows no rules."""
