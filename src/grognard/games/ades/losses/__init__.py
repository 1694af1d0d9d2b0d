"""Damage, life points and death; chapter 6, fear and rout."""
