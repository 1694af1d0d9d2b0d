"""Bases, gaps, arcs, templates, terrain and room: millimetres, closed form, arrays."""
