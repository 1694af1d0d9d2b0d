"""Némésis 1.0 (Zenit): simultaneous phases, orders bought with command points, reactions to charges."""
