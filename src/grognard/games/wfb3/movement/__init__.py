"""Chapter 5: moves, manoeuvres and formations of units, obstacles on the way."""
