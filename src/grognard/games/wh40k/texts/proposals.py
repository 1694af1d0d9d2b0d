"""Placements that are proposed, in words."""

_PROPOSALS = {
    # moves
    "toward": "toward {what}",
    "to": "to {what}",
    "up": "to level {place} of {what}",
    "down": "down to the ground",
    "back": "back, away from the enemy",
    "back-left": "back and left",
    "back-right": "back and right",
    "left": "to the left",
    "right": "to the right",
    "through": "through the enemy",
    "hold": "stay",
    "close": "up to the enemy",
    # set-ups
    "at": "place {what}",
    "forward": "forward place {what}",
    "side": "beside it, place {what}",
    "floor": "on level {place} of {what}",
    "tight": "tightly packed",
}

TEXTS = {f"propose.{name}": text for name, text in _PROPOSALS.items()}
