"""What the choices of house rules are called."""

TEXTS = {
    "house.zoc_voluntary_crossing.refuse": "refused",
    "house.zoc_voluntary_crossing.free_attack": "free attack",
    "house.shoot_after_long_move.allow": "it may",
    "house.shoot_after_long_move.refuse": "it may not",
    "house.marker_layout.line": "in a line",
    "house.marker_layout.triangle": "in a triangle",
}
