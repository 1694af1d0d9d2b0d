"""Chapter 12: the Movement Phase: rallying, flight, advance and march moves, arrivals."""
