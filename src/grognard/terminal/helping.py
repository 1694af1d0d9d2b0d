"""What `help` says while a match is played."""

HELP = """\
Answer with the number of an option, or several numbers where several are asked; 0 passes where that is allowed.
  why           the rule that asks, and how the last numbers came about
  rule ID       a rule of the book
  map           the table again
  log [N]       the last things that happened
  undo          take back your last decision (undo agreed: even after dice, if everybody agrees)
  save [FILE]   keep the match
  help place    how to say where models go
  quit          leave the table"""

PLACE_HELP = """\
A number takes one of the proposals. Otherwise say where to, in the game's own unit, from the lower left corner:
  30,45                      straight to that point
  20,40 30,45 facing 90      by a way of several points, looking east at the end (0 is up, 90 right)
  guard-1: 30,45; guard-2: 32,45     several models, in the order they move
  by 5,-3                    everybody who moves, straight by the same way
A line that begins with { is an answer in JSON, as cases write it."""
