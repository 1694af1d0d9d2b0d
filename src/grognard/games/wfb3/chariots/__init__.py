"""Chapter 20: chariots and wagons: driving, fighting, damage, bolting teams."""
