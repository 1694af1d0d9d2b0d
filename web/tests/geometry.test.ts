import { describe, expect, it } from "vitest";
import { along, apart, bearing, carried, clamp, clusters, emptiest, gap, hull, inside, middleOf, MUST, pathLength, ranked, scatter, spread, toward } from "../src/lib/geometry";
import type { Foot, Point } from "../src/lib/protocol";

const round: Foot = { shape: "circle", width: 30, depth: 30 };
const square: Point[] = [[0, 0], [100, 0], [100, 100], [0, 100]];

describe("bearings", () => {
  it("are compass degrees with y up", () => {
    expect(bearing({ x: 0, y: 0 }, { x: 0, y: 10 })).toBeCloseTo(0);
    expect(bearing({ x: 0, y: 0 }, { x: 10, y: 0 })).toBeCloseTo(90);
    expect(bearing({ x: 0, y: 0 }, { x: 0, y: -10 })).toBeCloseTo(180);
    expect(bearing({ x: 0, y: 0 }, { x: -10, y: 0 })).toBeCloseTo(270);
  });
  it("lead back where they came from", () => {
    const from = { x: 12, y: 34 };
    for (const facing of [0, 37, 90, 181, 275.5]) {
      const to = along(from, facing, 80);
      expect(bearing(from, to)).toBeCloseTo(facing);
      expect(apart(from, to)).toBeCloseTo(80);
    }
  });
});

describe("lengths", () => {
  it("add up along a path", () => {
    expect(pathLength([[0, 0], [30, 40], [30, 140]])).toBeCloseTo(150);
    expect(pathLength([[5, 5]])).toBe(0);
  });
  it("are measured from edge to edge between bases, never below nought", () => {
    expect(gap({ pose: { x: 0, y: 0 }, base: round }, { pose: { x: 100, y: 0 }, base: round })).toBeCloseTo(70);
    expect(gap({ pose: { x: 0, y: 0 }, base: round }, { pose: { x: 20, y: 0 }, base: round })).toBe(0);
  });
});

describe("a body", () => {
  const starts = {
    a: { x: 100, y: 100, facing: 10, level: 0 },
    b: { x: 140, y: 120, facing: 20, level: 0 },
  };
  it("keeps everyone's place beside the one that is carried", () => {
    const moved = carried(starts, "a", { x: 300, y: 250 }, { width: 1000, height: 1000 });
    expect(moved.a).toMatchObject({ x: 300, y: 250, facing: 10 });
    expect(moved.b).toMatchObject({ x: 340, y: 270, facing: 20 });
  });
  it("stays on the table", () => {
    const moved = carried(starts, "a", { x: 990, y: 250 }, { width: 1000, height: 1000 });
    expect(moved.b!.x).toBe(1000);
  });
  it("is nothing for a stranger", () => {
    expect(carried(starts, "c", { x: 0, y: 0 }, { width: 1000, height: 1000 })).toEqual({});
  });
  it("stands in ranks of five that do not overlap, the first rank in front", () => {
    const movers = ["1", "2", "3", "4", "5", "6", "7"];
    const placed = ranked(movers, Object.fromEntries(movers.map((m) => [m, round])), { x: 500, y: 100 }, 0);
    const spots = Object.values(placed);
    for (let i = 0; i < spots.length; i++) {
      for (let j = i + 1; j < spots.length; j++) expect(apart(spots[i]!, spots[j]!)).toBeGreaterThan(30);
    }
    expect(placed["1"]!.y).toBeGreaterThan(placed["6"]!.y);
    expect(ranked(["1"], { 1: round }, { x: 5, y: 6 }, 180)["1"]).toMatchObject({ x: 5, y: 6, facing: 180 });
  });
});

describe("areas", () => {
  it("know what lies in them", () => {
    expect(inside({ x: 50, y: 50 }, square)).toBe(true);
    expect(inside({ x: 150, y: 50 }, square)).toBe(false);
  });
  it("scatter the same things inside every time", () => {
    const spots = scatter(square, 20);
    expect(spots.length).toBeGreaterThan(5);
    expect(spots).toEqual(scatter(square, 20));
    for (const spot of spots) expect(inside(spot, square)).toBe(true);
  });
  it("have a hull without inner points", () => {
    const points = [...square.map(([x, y]) => ({ x, y })), { x: 50, y: 50 }];
    expect(hull(points)).toHaveLength(4);
    expect(hull(points)).not.toContainEqual({ x: 50, y: 50 });
  });
  it("are grouped by who stands together", () => {
    const spots = [0, 100, 20, 110, 40].map((x) => ({ x, y: 0 }));
    const groups = clusters(spots, 25).map((group) => group.map((spot) => spot.x).sort((a, b) => a - b));
    expect(groups.sort((a, b) => a[0]! - b[0]!)).toEqual([[0, 20, 40], [100, 110]]);
    expect(clusters([], 25)).toEqual([]);
  });
  it("clamp", () => expect([clamp(-1, 0, 5), clamp(3, 0, 5), clamp(9, 0, 5)]).toEqual([0, 3, 5]));
});

describe("labels", () => {
  const wide = () => 40;
  const at = { x: 0, y: 0, below: 50, text: "x" };
  const apart2 = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.abs(a.x - b.x) > 40 || Math.abs(a.y - b.y) >= 12;
  it("go below where another stands, and are left out where nothing is free", () => {
    const shown = spread([{ id: "c", rank: 0, ...at }, { id: "a", rank: 1, ...at }, { id: "b", rank: 0, ...at }], 10, wide);
    expect(shown.map((l) => [l.id, l.y])).toEqual([["a", 0], ["c", 50]]);
  });
  it("step aside where that is enough", () => {
    const shown = spread([{ id: "a", rank: 1, ...at }, { id: "b", rank: 0, ...at, x: 30 }, { id: "c", rank: 0, ...at, x: 30 }], 10, wide);
    expect(shown.map((l) => [l.id, l.x, l.y])).toEqual([["a", 0, 0], ["b", 30, 50], ["c", 42, 0]]);
  });
  it("are shown whatever they cover where they must be", () => {
    const shown = spread(["a", "b", "c"].map((id) => ({ id, rank: MUST, ...at })), 10, wide);
    expect(shown.map((l) => l.id)).toEqual(["a", "b", "c"]);
  });
  it("hide no models where there is another place", () => {
    expect(spread([{ id: "a", rank: 0, ...at }], 10, wide, [{ x: 5, y: -3 }])[0]).toMatchObject({ y: 50 });
  });
  it("hide rather their own than another's, stand beside too, and stay on the table", () => {
    const crowd = (of: string, y: number) => Array.from({ length: 9 }, (_, i) => ({ x: -40 + i * 10, y, r: 4, of }));
    const things = [...crowd("other", -3), ...crowd("own", 47)];
    expect(spread([{ id: "a", rank: 1, of: "own", ...at }], 10, wide, things)[0]).toMatchObject({ y: 50 });
    expect(spread([{ id: "a", rank: 0, of: "own", spare: true, left: -50, right: 50, ...at }], 10, wide, things)[0]!.x).toBe(70);
    expect(spread([{ id: "a", rank: 0, ...at }], 10, wide, [], { width: 100, height: 100 })[0]).toMatchObject({ x: 20, y: 10 });
    expect(spread([{ id: "a", rank: 0, ...at }], 10, wide, [{ x: 0, y: -30, r: 28 }])[0]).toMatchObject({ y: 50 });
  });
  it("that can be done without hide nothing, unless they are looked at", () => {
    const things = Array.from({ length: 12 }, (_, i) => ({ x: -30 + 10 * (i % 6), y: i < 6 ? -3 : 47 }));
    const crowded = (rank: number, spare: boolean) => spread([{ id: "a", rank, spare, ...at }], 10, wide, things).length;
    expect([crowded(0, true), crowded(0, false), crowded(1, true)]).toEqual([0, 1, 1]);
  });
  it("never cover each other on a crowded table", () => {
    const labels = Array.from({ length: 240 }, (_, i) => ({ id: `${i}`, rank: i % 3, text: "x", x: (i % 20) * 25, y: Math.floor(i / 20) * 20, below: Math.floor(i / 20) * 20 + 30 }));
    const shown = spread(labels, 10, wide, labels);
    expect(shown.length).toBeGreaterThan(60);
    for (const [i, one] of shown.entries()) for (const other of shown.slice(i + 1)) expect(apart2(one, other)).toBe(true);
  });
});

describe("the middle of a block", () => {
  const block = (facing: number) => [...Array(7).keys()].map((i) => ({ ...along(along({ x: 300, y: 200 }, facing + 90, (i % 5) * 20 - 40), facing + 180, Math.floor(i / 5) * 20 - 10), facing }));
  it("is that of its rectangle, whatever its last rank lacks and wherever it looks", () => {
    for (const facing of [0, 30, 180, 275]) {
      const { x, y } = middleOf(block(facing));
      expect([x, y].map((v) => Math.round(v * 1e6) / 1e6)).toEqual([300, 200]);
    }
  });
});

describe("arrow keys", () => {
  const items = [{ id: "up", x: 0, y: 100 }, { id: "far up", x: 10, y: 300 }, { id: "right", x: 90, y: 10 }];
  it("go to the nearest thing that way", () => {
    expect(toward({ x: 0, y: 0 }, items, "up")?.id).toBe("up");
    expect(toward({ x: 0, y: 0 }, items, "right")?.id).toBe("right");
    expect(toward({ x: 0, y: 0 }, items, "down")).toBeUndefined();
  });
});

describe("the emptiest corner", () => {
  const board = { width: 100, height: 200 };
  const things = [{ x: 10, y: 190 }, { x: 90, y: 190 }, { x: 10, y: 10 }];
  it("is the one with the fewest things, as the picture lies", () => {
    expect(emptiest(things, board, false)).toBe("bottom right");
    expect(emptiest(things, board, true)).toBe("top left");
  });
  it("is the first of several as empty", () => {
    expect(emptiest([], board, false)).toBe("top left");
    expect(emptiest([{ x: 10, y: 190 }], board, false)).toBe("top right");
  });
  it("may be in the middle where armies stand at both ends", () => {
    const rows = [5, 50, 95].flatMap((x) => [{ x, y: 10 }, { x, y: 190 }]);
    expect(emptiest(rows, board, false)).toBe("middle left");
  });
});
