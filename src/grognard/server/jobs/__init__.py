"""Work that may take long, done by bounded workers elsewhere."""
