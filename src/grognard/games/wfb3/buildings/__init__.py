"""Chapter 22: going into buildings, fights and shots in and at them, their fall."""
