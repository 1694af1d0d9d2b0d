"""Chapters 11 and 13.2 to 13.5: the command test, who may order whom, orders held, acting without one."""
