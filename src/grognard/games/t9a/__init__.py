"""The Ninth Age: Fantasy Battles, 2nd edition 2023. Begin with `sequence.py`."""
