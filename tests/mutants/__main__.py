"""`make mutants GAME=nemesis MODULES=steps,courage SAMPLE=200 SEED=1`: see docs/mutants.md."""

from __future__ import annotations

import argparse
import sys

from tests.mutants import hunt, page, rooms, touched


def main() -> None:
    parser = argparse.ArgumentParser(prog="mutants", description=__doc__)
    parser.add_argument("--game", default="", help="one game; all of them if left out")
    parser.add_argument("--modules", default="", help="some modules, with commas between")
    parser.add_argument("--sample", type=int, default=0, help="so many changes of each game; 0: all")
    parser.add_argument("--most", type=int, default=300, help="play so many of the cases that touch a change; 0: all")
    parser.add_argument("--every", type=int, default=1, help="use only every so-manieth case; a lower bound, quickly")
    parser.add_argument("--seed", type=int, default=1, help="which sample")
    parser.add_argument("--write", action="store_true", help="write the figures into docs/mutants.md")
    parser.add_argument("--again", action="store_true", help="only those that survived the last run")
    parser.add_argument("--cases", default="", help="play only cases whose id begins so")
    parser.add_argument("--list", action="store_true", help="only list the changes")
    given = parser.parse_args()
    for game in [given.game] if given.game else list(rooms.ROOMS):
        one(game, given)
    if given.write:
        page.write()


def one(game: str, given: argparse.Namespace) -> None:
    names = rooms.modules(game, given.modules)
    found = hunt.Game(game, names, given.every)
    mutants = found.mutants()
    chosen = hunt.sample(mutants, given.sample, given.seed)
    last = touched.saved(game, "results") or []
    if given.again:
        left = {row["key"] for row in last if row["state"] in ("survived", "untouched")}
        chosen = [mutant for mutant in mutants if mutant.key in left]
    if given.list:
        print("\n".join(f"{m.module}:{m.edit.line} [{m.edit.kind}] {m.key} ({len(m.cases)} cases)" for m in chosen))
        return
    able = {mutant.key for mutant in mutants}

    def keep(rows: list[hunt.Row]) -> None:
        """What other runs found stays, unless it is of these modules and can no longer be made."""
        others = (touched.saved(game, "results") or []) if given.modules or given.again else []
        every = {row["key"]: row for row in others if row["module"] not in names or row["key"] in able}
        every |= {row["key"]: row for row in rows if row["state"] != "untouched" or not given.cases}
        touched.save(game, "results", sorted(every.values(), key=lambda row: (row["module"], row["line"], row["key"])))

    facts = {
        "made": len(mutants),
        "chosen": len(chosen),
        "cases": len(found.cases),
        "every": given.every,
        "seed": given.seed,
    }
    touched.save(game, "run", facts)
    chosen = [mutant._replace(cases=tuple(c for c in mutant.cases if c.startswith(given.cases))) for mutant in chosen]
    hunt.run(found, chosen, given.most, lambda line: print(line, file=sys.stderr, flush=True), keep)
    print(page.table([game]))


if __name__ == "__main__":
    main()
