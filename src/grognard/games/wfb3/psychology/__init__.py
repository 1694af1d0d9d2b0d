"""Chapter 10: fear, panic, frenzy, hatred, animosity, stupidity."""
