"""Chapter 9: the Charge phase, and joint moves into combat."""
