/** Plane geometry of the table, in millimetres with y up, and its picture, with y down. */
import type { Foot, Ghost, Point, Stand } from "./protocol";

export interface Spot {
  x: number;
  y: number;
}

export const apart = (a: Spot, b: Spot) => Math.hypot(a.x - b.x, a.y - b.y);

/** The nearest of several points, where there are any. */
export const nearestTo = <P extends Spot>(spot: Spot, points: P[]) =>
  points.length ? points.reduce((a, b) => (apart(spot, b) < apart(spot, a) ? b : a)) : undefined;

/** The compass bearing from one point to another: 0 is up the table, 90 to the right. */
export function bearing(from: Spot, to: Spot): number {
  const degrees = (Math.atan2(to.x - from.x, to.y - from.y) * 180) / Math.PI;
  return (degrees + 360) % 360;
}

/** The point at a distance along a compass bearing. */
export function along(from: Spot, facing: number, far: number): Spot {
  const turn = (facing * Math.PI) / 180;
  return { x: from.x + Math.sin(turn) * far, y: from.y + Math.cos(turn) * far };
}

export function pathLength(path: Point[]): number {
  let sum = 0;
  for (let i = 1; i < path.length; i++) sum += Math.hypot(path[i]![0] - path[i - 1]![0], path[i]![1] - path[i - 1]![1]);
  return sum;
}

/** How far a base reaches from its centre at most. */
export function reach(base: Foot): number {
  return base.shape === "rectangle" ? Math.hypot(base.width, base.depth) / 2 : Math.max(base.width, base.depth) / 2;
}

/** The gap between two bases, taken as round. */
export function gap(a: { pose: Spot; base: Foot }, b: { pose: Spot; base: Foot }): number {
  return Math.max(0, apart(a.pose, b.pose) - Math.min(a.base.width, a.base.depth) / 2 - Math.min(b.base.width, b.base.depth) / 2);
}

export function centre(points: Spot[]): Spot {
  const n = Math.max(1, points.length);
  return { x: points.reduce((s, p) => s + p.x, 0) / n, y: points.reduce((s, p) => s + p.y, 0) / n };
}

/** The middle of a block of models that look the same way: of the rectangle they stand in, not of their weight. */
export function middleOf(stands: { x: number; y: number; facing: number }[]): Spot {
  const turn = ((stands[0]?.facing ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const across = stands.map(({ x, y }) => x * cos - y * sin);
  const along = stands.map(({ x, y }) => x * sin + y * cos);
  const mid = (some: number[]) => (Math.min(...some) + Math.max(...some)) / 2;
  const [a, b] = [mid(across), mid(along)];
  return { x: a * cos + b * sin, y: b * cos - a * sin };
}

export function bounds(points: Spot[]): { left: number; right: number; low: number; high: number } {
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  return { left: Math.min(...xs), right: Math.max(...xs), low: Math.min(...ys), high: Math.max(...ys) };
}

/** Polygon corners for SVG's `points`, y turned down. */
export function corners(points: Point[], height: number): string {
  return points.map(([x, y]) => `${round(x)},${round(height - y)}`).join(" ");
}

/** A closed outline with its corners a little worn, for what nature made; the edges stay where the rules measure them. */
export function worn(points: Point[], height: number, most = 14): string {
  const n = points.length;
  if (n < 3) return "";
  const at = (i: number): Spot => {
    const p = points[((i % n) + n) % n]!;
    return { x: p[0], y: height - p[1] };
  };
  const toward = (from: Spot, to: Spot): Spot => {
    const far = apart(from, to) || 1;
    const share = Math.min(most, far * 0.3) / far;
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
  };
  let path = "";
  for (let i = 0; i < n; i++) {
    const corner = at(i);
    const before = toward(corner, at(i - 1));
    const after = toward(corner, at(i + 1));
    path += `${i ? "L" : "M"}${round(before.x)} ${round(before.y)}Q${round(corner.x)} ${round(corner.y)} ${round(after.x)} ${round(after.y)}`;
  }
  return `${path}Z`;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** The corners drawn in toward their centre: contour lines. */
export function shrink(points: Point[], share: number): Point[] {
  const c = centre(points.map(([x, y]) => ({ x, y })));
  return points.map(([x, y]) => [c.x + (x - c.x) * share, c.y + (y - c.y) * share]);
}

export function inside(point: Spot, ring: Point[]): boolean {
  let odd = false;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi, yi] = ring[i]!;
    const [xj, yj] = ring[j]!;
    if (yi > point.y !== yj > point.y && point.x < ((xj - xi) * (point.y - yi)) / (yj - yi) + xi) odd = !odd;
  }
  return odd;
}

/** Points scattered evenly but irregularly in a polygon, the same every time: trees, stones, waves. */
export function scatter(points: Point[], step: number, margin = 0.86): Spot[] {
  const ring = shrink(points, margin);
  const box = bounds(ring.map(([x, y]) => ({ x, y })));
  const found: Spot[] = [];
  let row = 0;
  for (let y = box.low; y <= box.high; y += step * 0.87, row++) {
    for (let x = box.left + (row % 2 ? step / 2 : 0); x <= box.right; x += step) {
      const spot = { x: x + wobble(x, y) * step * 0.28, y: y + wobble(y, x + 7) * step * 0.28 };
      if (inside(spot, ring)) found.push(spot);
    }
  }
  return found;
}

/** A number between -1 and 1 that looks random and is always the same for the same place. */
export function wobble(x: number, y: number): number {
  const s = Math.sin(x * 12.9898 + y * 78.233) * 43758.5453;
  return (s - Math.floor(s)) * 2 - 1;
}

export const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Where a whole body stands when its mover is carried to a point: everyone keeps their place beside it. */
export function carried(
  starts: Record<string, Stand>,
  mover: string,
  to: Spot,
  board: { width: number; height: number },
): Record<string, Ghost> {
  const from = starts[mover];
  if (!from) return {};
  const shift = { x: to.x - from.x, y: to.y - from.y };
  const result: Record<string, Ghost> = {};
  for (const [id, stand] of Object.entries(starts)) {
    const x = clamp(stand.x + shift.x, 0, board.width);
    const y = clamp(stand.y + shift.y, 0, board.height);
    result[id] = { x, y, facing: stand.facing, path: [[x, y]] };
  }
  return result;
}

/** Ranks of models round a point, for those who are not on the table yet. */
export function ranked(movers: string[], bases: Record<string, Foot>, to: Spot, facing: number): Record<string, Ghost> {
  const wide = Math.max(...movers.map((m) => bases[m]?.width ?? 25), 10) + 5;
  const deep = Math.max(...movers.map((m) => bases[m]?.depth ?? 25), 10) + 5;
  const files = Math.min(5, movers.length);
  const result: Record<string, Ghost> = {};
  movers.forEach((id, i) => {
    const row = Math.floor(i / files);
    const inRow = Math.min(files, movers.length - row * files);
    const across = ((i % files) - (inRow - 1) / 2) * wide;
    const side = along(to, facing + 90, across);
    const spot = along(side, facing + 180, row * deep);
    result[id] = { ...spot, facing, path: [[spot.x, spot.y]] };
  });
  return result;
}

/** The item nearest to a point in the direction of an arrow key, or undefined. */
export function toward<T extends Spot>(from: Spot, items: T[], direction: "up" | "down" | "left" | "right"): T | undefined {
  const ahead = { up: [0, 1], down: [0, -1], left: [-1, 0], right: [1, 0] }[direction] as Point;
  let best: T | undefined;
  let least = Infinity;
  for (const item of items) {
    const dx = item.x - from.x;
    const dy = item.y - from.y;
    const forward = dx * ahead[0] + dy * ahead[1];
    const aside = Math.abs(dx * ahead[1]) + Math.abs(dy * ahead[0]);
    const cost = forward + 2 * aside;
    if (forward > 1 && cost < least) [best, least] = [item, cost];
  }
  return best;
}

/** Points in groups: whoever is within reach of one of a group belongs to it. */
export function clusters(points: Spot[], reach: number): Spot[][] {
  const groups: Spot[][] = [];
  for (const point of points) {
    const near = groups.filter((group) => group.some((other) => Math.hypot(other.x - point.x, other.y - point.y) <= reach));
    const rest = groups.filter((group) => !near.includes(group));
    groups.splice(0, groups.length, ...rest, [...near.flat(), point]);
  }
  return groups;
}

/** The convex hull of some points, for the ground a unit covers. */
export function hull(points: Spot[]): Spot[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const cross = (o: Spot, a: Spot, b: Spot) => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  const half = (list: Spot[]) => {
    const chain: Spot[] = [];
    for (const p of list) {
      while (chain.length > 1 && cross(chain[chain.length - 2]!, chain[chain.length - 1]!, p) <= 0) chain.pop();
      chain.push(p);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

export interface Label {
  id: string;
  text: string;
  x: number;
  /** The places it may stand, above and below what it names. */
  y: number;
  below: number;
  /** Where what it names ends to the left and to the right: it may stand beside it too. */
  left?: number;
  right?: number;
  /** The higher, the sooner it gets its place; from MUST on it is shown whatever it covers, below 0 it hides nothing. */
  rank: number;
  /** It can be done without: of no rank, it is left out where it would hide something. */
  spare?: boolean;
  /** The unit it names: to hide others is worse, because it would seem to name them. */
  of?: string;
}

/** What a label should not hide: a circle, and whose it is. */
export interface Thing extends Spot {
  r?: number;
  of?: string;
}

/** A label of this rank is never left out. */
export const MUST = 3;

/** Things by the rows they reach into, so that only neighbours are compared. */
class Rows<T extends Thing> {
  #rows = new Map<number, T[]>();
  constructor(private readonly deep: number) {}
  add(thing: T): void {
    const reach = thing.r ?? 0;
    for (let row = this.#row(thing.y - reach); row <= this.#row(thing.y + reach); row++)
      this.#rows.set(row, [...(this.#rows.get(row) ?? []), thing]);
  }
  near(y: number): Set<T> {
    const row = this.#row(y);
    return new Set([row - 1, row, row + 1].flatMap((r) => this.#rows.get(r) ?? []));
  }
  #row(y: number): number {
    return Math.floor(y / this.deep);
  }
}

/** Where a label may stand, the dearest last. */
function placesOf(label: Label, w: number, size: number, board: Board): Spot[] {
  const level = (label.y + label.below) / 2 + size * 0.1;
  const beside = label.left === undefined || label.right === undefined ? [] : [label.right + w / 2, label.left - w / 2].map((x) => ({ x, y: level }));
  const shifts = label.rank < 0 ? [0] : [0, -0.3, 0.3];
  const around = shifts.flatMap((aside) => [label.y, label.below].map((y) => ({ x: label.x + aside * w, y })));
  return [...around, ...beside].map(({ x, y }) => ({
    x: board.width < Infinity ? clamp(x, w / 2, board.width - w / 2) : x,
    y: board.height < Infinity ? clamp(y, size, board.height - size * 0.3) : y,
  }));
}

interface Board {
  width: number;
  height: number;
}
const ENDLESS: Board = { width: Infinity, height: Infinity };

/**
 * Labels that do not cover each other: above what they name, else below, aside or beside it, where they hide the
 * fewest things, and on the table; one that finds no place is left out unless it must be shown.
 */
export function spread(labels: Label[], size: number, wide: (text: string) => number, things: Thing[] = [], board: Board = ENDLESS): Label[] {
  const deep = size * 1.2;
  const taken = new Rows<Spot & { w: number }>(deep);
  const under = new Rows<Thing>(deep);
  for (const thing of things) under.add(thing);
  const free = (x: number, y: number, w: number) =>
    [...taken.near(y)].every((t) => Math.abs(t.y - y) >= deep || Math.abs(t.x - x) > (t.w + w) / 2);
  const hides = (thing: Thing, x: number, y: number, w: number) => {
    const across = Math.max(0, Math.abs(thing.x - x) - w / 2);
    const along = Math.max(0, Math.abs(thing.y - (y - size * 0.35)) - size * 0.5);
    return Math.hypot(across, along) < Math.max(thing.r ?? 0, size * 0.2);
  };
  const cost = (label: Label, x: number, y: number, w: number) =>
    [...under.near(y)].reduce((sum, thing) => sum + (hides(thing, x, y, w) ? (thing.of && thing.of === label.of ? 1 : 2) : 0), 0);
  const shown: Label[] = [];
  for (const label of [...labels].sort((a, b) => b.rank - a.rank)) {
    const w = wide(label.text);
    let best: Spot | undefined;
    let least = Infinity;
    for (const place of placesOf(label, w, size, board)) {
      const dear = free(place.x, place.y, w) ? cost(label, place.x, place.y, w) : Infinity;
      if (dear < least) [best, least] = [place, dear];
    }
    if ((!best && label.rank < MUST) || ((label.rank < 0 || (label.rank === 0 && label.spare)) && least > 0)) continue;
    const place = { ...label, ...(best ?? {}) };
    taken.add({ x: place.x, y: place.y, w });
    shown.push(place);
  }
  return shown;
}

const CORNERS = ["top left", "top right", "bottom left", "bottom right", "middle left", "middle right"] as const;
export type Corner = (typeof CORNERS)[number];
/** How much of the table a note covers, as shares of its breadth and depth. */
const NOTE = { wide: 0.62, deep: 0.32 };

/** Where on the table's picture a note hides the fewest things; `flipped` where the picture is upside down. */
export function emptiest(things: Spot[], board: Board, flipped: boolean): Corner {
  const from = { top: 0, middle: 0.5 - NOTE.deep / 2, bottom: 1 - NOTE.deep };
  const hidden = (corner: Corner) => {
    const [row, column] = corner.split(" ") as [keyof typeof from, "left" | "right"];
    return things.filter(({ x, y }) => {
      const [across, down] = flipped ? [1 - x / board.width, y / board.height] : [x / board.width, 1 - y / board.height];
      const beside = column === "left" ? across <= NOTE.wide : across >= 1 - NOTE.wide;
      return beside && down >= from[row] && down <= from[row] + NOTE.deep;
    }).length;
  };
  return CORNERS.reduce((best, corner) => (hidden(corner) < hidden(best) ? corner : best));
}
