"""What the choices of house rules are called, and who belongs to somebody."""

TEXTS = {
    "name.crew": "{name} crew",
    "name.handler": "{name} handler",
    "name.mount": "{name} mount",
    "name.of": "{what} of {name}",
    "house.referee.book": "usual ruling",
    "house.referee.person": "a person",
    "house.ties.roll": "both roll",
    "house.ties.together": "simultaneous",
    "house.altar.book": "carried",
    "house.altar.supplement": "a structure",
}
