"""Warhammer 40,000 core rules (10th edition) on the kernel."""
