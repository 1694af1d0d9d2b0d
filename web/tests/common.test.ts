import { describe, expect, it } from "vitest";
import { common, openly } from "../src/lib/common";
import type { LogEntry, Scene } from "../src/lib/protocol";

const scene = (...codes: string[]) =>
  ({
    sides: [],
    units: [{ id: "u", states: codes.map((code) => ({ code, text: `state.${code}`, data: {}, rule: "" })) }],
    models: [],
    tokens: [],
    terrain: [],
  }) as unknown as Scene;
const codes = (found: Scene) => found.units[0]!.states.map((state) => state.code);

describe("at one screen", () => {
  it("only what everybody knows of a unit is shown", () => {
    expect(codes(common(scene("fleeing", "pile"), [scene("fleeing")]))).toEqual(["fleeing"]);
    expect(codes(common(scene("fleeing"), [scene("fleeing", "pile")]))).toEqual(["fleeing"]);
    expect(codes(common(scene("fleeing", "pile"), []))).toEqual(["fleeing", "pile"]);
  });
  it("what one of them was told in private is not in the log", () => {
    const log = [{ n: 0 }, { n: 1, private: true }, { n: 2 }] as LogEntry[];
    expect(openly(log).map((entry) => entry.n)).toEqual([0, 2]);
  });
});
