/** How terrain looks. The words are those people use for terrain in any game; what is unknown is drawn by what it does. */
import type { Ground } from "../lib/protocol";

export type Look = "wood" | "hill" | "rock" | "ruin" | "building" | "water" | "fence" | "mud" | "field" | "road" | "plain";

const WORDS: [RegExp, Look][] = [
  [/wood|forest|copse|jungle|tree|grove|hedge/, "wood"],
  [/hill|mound|rise|slope|dune/, "hill"],
  [/rock|cliff|boulder|crag|scree/, "rock"],
  [/ruin|crater|debris|rubble|wreck/, "ruin"],
  [/fence|wall|barricade|obstacle|barrier|palisade/, "fence"],
  [/building|house|tower|fort|bunker|village|container|statuary|temple/, "building"],
  [/water|river|lake|pond|stream|sea|ford/, "water"],
  [/mud|marsh|swamp|bog/, "mud"],
  [/field|scrub|crop|brush|grass/, "field"],
  [/road|path|bridge/, "road"],
];

export function lookOf(piece: Pick<Ground, "kind" | "class" | "sight" | "traits">): Look {
  for (const [word, look] of WORDS) if (word.test(piece.kind)) return look;
  if (/impassable/.test(piece.class)) return "rock";
  if (piece.sight === "area") return "wood";
  if (piece.sight === "wall") return "hill";
  return piece.sight === "solid" ? "building" : "plain";
}

/** Whether its edge is round, as nature makes it. */
export const NATURAL: ReadonlySet<Look> = new Set<Look>(["wood", "hill", "water", "mud", "field", "rock"]);
