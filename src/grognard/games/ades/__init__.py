"""L'Âge des Escarmouches 0.7 on the kernel."""
