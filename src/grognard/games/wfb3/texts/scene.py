"""What screens show beside the table."""

from grognard.games.wfb3.profiles import STATS

_STATES = {
    "leader": "leader",
    "standard": "standard bearer",
    "musician": "musician",
    "character": "character",
    "dead": "dead",
    "duel": "fights a duel",
    "refused": "refused a challenge",
    "undeployed": "not deployed yet",
    "attached": "with a unit",
    "destroyed": "destroyed",
    "gone": "has fled the table",
    "disordered": "disordered",
    "routed": "routed",
    "pursuing": "pursuing",
    "frenzied": "frenzied",
    "stupid": "stupid",
    "quarrel": "quarrelling",
    "moved": "has moved",
    "charged": "charged this turn",
    "engaged": "engaged",
    "crossing": "crossing an obstacle",
    "square": "in square",
    "shield-wall": "in a shield wall",
    "testudo": "in testudo",
    "leaderless": "without a leader",
    "banner-lost": "has lost its banner",
}
TEXTS = {
    **{f"state.{code}": text for code, text in _STATES.items()},
    **{f"stat.{stat}": stat for stat in STATS},
    "count.points": "points scored",
    "count.army": "points of the army",
    "zone.deployment": "deployment zone of {side}",
}
