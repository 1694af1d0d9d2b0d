/** Plans of matches: the quick one, the guided one, and what people call them. */
import type { Plan } from "../lib/api";
import type { Army, Game, Words } from "../lib/protocol";

/** Who sits at a seat: me, somebody beside me, somebody with a link, or a computer player by name. */
export type Seat = "here" | "beside" | "link" | (string & {});

export function playerOf(seat: Seat): string {
  return seat === "here" || seat === "beside" || seat === "link" ? "human" : seat;
}

/** Two of the smallest starter armies, of different factions where there are any. */
export function smallest(armies: Army[]): string[] {
  const sorted = [...armies].sort((a, b) => a.points - b.points || a.models - b.models);
  const first = sorted[0];
  if (!first) return [];
  const other = sorted.find((a) => a.id !== first.id && a.faction.en !== first.faction.en) ?? sorted[1] ?? first;
  return [first.id, other.id];
}

/** A battle ready to play: the game's own usual scenario, small armies, me against the computer. */
export function quick(game: Game, armies: Army[], guided: boolean): Plan {
  return {
    game: game.id,
    scenario: null,
    armies: smallest(armies),
    players: ["human", guided ? "random" : "captain"],
    house: {},
    dice: "sealed",
    ...(guided ? { seed: 7 } : {}),
  };
}

/** What a match is called, in both languages. */
export function titleOf(game: Game, scenario: string | null): Words {
  const found = game.scenarios.find((s) => s.id === scenario)?.title;
  return { en: [game.title, found?.en].filter(Boolean).join(" — "), fr: [game.title, found?.fr].filter(Boolean).join(" — ") };
}
