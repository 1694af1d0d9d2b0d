"""Chapter 18: monsters and those they carry, running amok, death throes."""
