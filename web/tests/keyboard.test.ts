import { describe, expect, it } from "vitest";
import { actionOf, following, KEYS } from "../src/lib/keyboard";

const press = (key: string, more = {}) => actionOf({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more });

describe("keys", () => {
  it("choose options by number", () => {
    expect(press("1")).toEqual({ do: "option", place: 0 });
    expect(press("9")).toEqual({ do: "option", place: 8 });
    expect(press("0")).toEqual({ do: "decline" });
  });
  it("carry the ghost in large and small steps", () => {
    expect(press("ArrowUp")).toEqual({ do: "arrow", way: "up", fine: false });
    expect(press("ArrowLeft", { shiftKey: true })).toEqual({ do: "arrow", way: "left", fine: true });
  });
  it("turn by fifteen degrees, or by one with Shift", () => {
    expect(press("q")).toEqual({ do: "turn", degrees: -15 });
    expect(press("E", { shiftKey: true })).toEqual({ do: "turn", degrees: 1 });
  });
  it("take up one single model after another", () => {
    expect(press("n")).toEqual({ do: "model", step: 1 });
    expect(press("N", { shiftKey: true })).toEqual({ do: "model", step: -1 });
  });
  it("leave the browser's own alone", () => {
    expect(press("f", { ctrlKey: true })).toBeNull();
    expect(press("1", { altKey: true })).toBeNull();
    expect(press("Tab")).toBeNull();
  });
  it("are all on the help page", () => {
    const told = KEYS.map(([keys]) => keys).join(" ");
    for (const key of ["Enter", "Esc", "Q", "E", "U", "M", "V", "T", "L", "W", "S", "N", "F", "?", "."]) expect(told).toContain(key);
  });
});

describe("following", () => {
  it("goes round and round", () => {
    expect(following(["a", "b"], null, 1)).toBe("a");
    expect(following(["a", "b"], null, -1)).toBe("b");
    expect(following(["a", "b"], "b", 1)).toBe("a");
    expect(following([], null, 1)).toBeUndefined();
  });
});
