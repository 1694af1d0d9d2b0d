"""What the choices of house rules are called."""

TEXTS = {
    "house.referee.book": "usual ruling",
    "house.referee.person": "a person",
    "house.ties.roll": "both roll",
    "house.ties.together": "simultaneous",
    "house.altar.book": "carried",
    "house.altar.supplement": "a structure",
}
