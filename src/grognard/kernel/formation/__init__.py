"""Ranked formations: blocks of files and ranks, how they move, meet and fight shoulder to shoulder.

What the two rank-and-file games share; the kernel knows neither game's procedure. From the bottom up:
`shapes`, `traces` and `distances` (outlines and closed forms), `sweeps` (gaps over a motion), `block` and
`changes` (formations), `arcs`, `contact` (who touches whom), `obstacles`, `steps` and `manoeuvre`
(paths that are proofs), `flight`, `align`, and `lanes`, `scene`, `round_bases`, `charge` (ways into contact).
"""
