"""Chapter 21.B: Characters join units and leave them."""
