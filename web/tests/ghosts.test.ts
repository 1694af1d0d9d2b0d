import { describe, expect, it } from "vitest";
import { frontOf, ghostsOf, wheeled, wireOf } from "../src/lib/ghosts";

describe("ghosts", () => {
  const still = (id: string) => (id === "a" ? { x: 1, y: 2, facing: 90, path: [] } : null);
  it("stand at the end of their way", () => {
    const found = ghostsOf({ a: { path: [[5, 5], [9, 9]] }, b: [3, 4] }, still);
    expect(found.a).toMatchObject({ x: 9, y: 9, facing: 90 });
    expect(found.b).toMatchObject({ x: 3, y: 4, facing: 0 });
  });
  it("stay where they are when they only turn", () => {
    expect(ghostsOf({ a: { path: [], facing: 45 } }, still).a).toMatchObject({ x: 1, y: 2, facing: 45 });
  });
  it("keep their level and how far the rules say they go", () => {
    const found = ghostsOf({ a: { path: [[5, 5]], level: 2 } }, still, { a: 30 });
    expect(found.a).toMatchObject({ level: 2, far: 30 });
    expect(wireOf(found)).toEqual({ a: { path: [[5, 5]], facing: 90, level: 2 } });
  });
});

describe("a body", () => {
  const stands = { a: { x: 0, y: 0, facing: 0, level: 0 }, b: { x: 10, y: 0, facing: 350, level: 1 } };
  it("swings round its middle and turns", () => {
    const found = wheeled(stands, 90);
    expect(found.a!.x).toBeCloseTo(5);
    expect(found.a!.y).toBeCloseTo(5);
    expect(found.b!.y).toBeCloseTo(-5);
    expect(found.a!.facing).toBe(90);
    expect(found.b).toMatchObject({ facing: 80, level: 1 });
    expect(found.b!.path).toEqual([[found.b!.x, found.b!.y]]);
  });
  it("has so many files as stand in its first rank", () => {
    const block = [0, 20, 40].flatMap((x) => [0, -20].map((y) => ({ x, y, facing: 0, level: 0 })));
    expect(frontOf(block)).toBe(3);
    expect(frontOf(block.map((one) => ({ ...one, facing: 90 })))).toBe(2);
  });
});
