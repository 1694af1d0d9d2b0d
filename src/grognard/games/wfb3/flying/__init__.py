"""Chapter 21: flight, fights in and from the air, things dropped, falls."""
