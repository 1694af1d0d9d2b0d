"""Chapter 19: war machines fire, misfire, move, are captured and spiked."""
