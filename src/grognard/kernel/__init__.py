"""What every miniature game shares; knows no game."""
