"""Chapter 4.2.5: shots, artillery, shots at scenery and into melees."""
