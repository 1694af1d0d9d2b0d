/** Placements of single models and their pictures. */
import { middleOf } from "./geometry";
import type { Ghost, Note, Placement, Point, Stand, Track, Words } from "./protocol";

export interface Verdict {
  ok: boolean;
  text: Words | string | null;
  rule: string;
  mover: string | null;
  /** What may come of it all the same. */
  notes: Note[];
}

/** A placement that was tried, and how it is drawn. */
export interface Tried {
  placement: Placement;
  ghosts: Record<string, Ghost>;
}
export const isTried = (made: unknown): made is Tried => !!made && typeof made === "object" && "placement" in made && "ghosts" in made;

/** Whoever stands less than this (mm) behind the first is in the first rank. */
const RANK = 5;

/** A placement that goes where these ghosts stand. */
export function wireOf(ghosts: Record<string, Ghost>): Placement {
  return Object.fromEntries(Object.entries(ghosts).map(([id, ghost]) => [id, trackOf(ghost)]));
}

/** The way of one ghost, as it is written. */
export function trackOf(ghost: Ghost): Track {
  return { path: ghost.path, facing: ghost.facing, ...(ghost.level ? { level: ghost.level } : {}) };
}

/** What a placement of single models looks like; other forms are drawn by the server's `ghost`. */
export function ghostsOf(placement: Placement, still: (id: string) => Ghost | null, far: Record<string, number> = {}): Record<string, Ghost> {
  const found: Record<string, Ghost> = {};
  for (const [id, track] of Object.entries(placement)) {
    if (!track || typeof track !== "object") continue;
    const given = Array.isArray(track) ? { path: [track as Point] } : (track as Partial<Track>);
    const start = still(id);
    const path = given.path ?? [];
    const end = path[path.length - 1] ?? (start ? [start.x, start.y] : undefined);
    if (!end) continue;
    const gone = far[id] === undefined ? {} : { far: far[id] };
    found[id] = { x: end[0]!, y: end[1]!, facing: given.facing ?? start?.facing ?? 0, path, level: given.level ?? 0, ...gone };
  }
  return found;
}

/** A body swung round its middle, everybody turning with it. */
export function wheeled(stands: Record<string, Stand>, degrees: number): Record<string, Ghost> {
  const middle = middleOf(Object.values(stands));
  const turn = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const found: Record<string, Ghost> = {};
  for (const [id, { x, y, facing, level }] of Object.entries(stands)) {
    const [dx, dy] = [x - middle.x, y - middle.y];
    const spot = { x: middle.x + dx * cos + dy * sin, y: middle.y - dx * sin + dy * cos };
    found[id] = { ...spot, facing: (facing + degrees + 360) % 360, path: [[spot.x, spot.y]], level };
  }
  return found;
}

/** How many of a block stand in its first rank. */
export function frontOf(stands: Stand[]): number {
  const ahead = stands.map(({ x, y, facing }) => x * Math.sin((facing * Math.PI) / 180) + y * Math.cos((facing * Math.PI) / 180));
  const first = Math.max(...ahead);
  return ahead.filter((far) => far > first - RANK).length;
}
