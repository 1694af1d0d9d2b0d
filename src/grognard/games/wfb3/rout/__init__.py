"""Chapter 8: rout tests, flight, free hits, pursuit, rallying."""
