"""Who sees whom, with what cover: exact in plan, with heights, mutual where the game says so."""
