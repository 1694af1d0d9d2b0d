"""Chapter 4.4: the Maintenance phase, and fighters who come back."""
