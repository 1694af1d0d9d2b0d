"""Army lists: read from a file or by name, checked by the game's own rules, shown with their points."""

from grognard.muster.lists import Army, army_plain, army_table, check, findings_lines, read_army, starters_table

__all__ = ["Army", "army_plain", "army_table", "check", "findings_lines", "read_army", "starters_table"]
