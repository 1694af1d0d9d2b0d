import { beforeEach, describe, expect, it } from "vitest";
import { ghostsOf } from "../src/lib/placing.svelte";
import { fates } from "../src/lib/rolls";
import { accountsIn } from "../src/lib/why.svelte";
import { both, dictionary, fill, named, say, t } from "../src/lib/words.svelte";

beforeEach(() => {
  dictionary.lang = "en";
  dictionary.french = { "Turn {turn}": "Tour {turn}", archers: "archers à pied" };
  dictionary.texts = { "state.spell": { en: "under {spell} until {until}", fr: "sous {spell} jusqu'à {until}" } };
  dictionary.names = { "red.archers": { en: "archers", fr: "archers à pied" } };
});

describe("words", () => {
  it("follow the language at once", () => {
    expect(t("Turn {turn}", { turn: 3 })).toBe("Turn 3");
    dictionary.lang = "fr";
    expect(t("Turn {turn}", { turn: 3 })).toBe("Tour 3");
    expect(both({ en: "yes", fr: "oui" })).toBe("oui");
    expect(both({ en: "who: why?", fr: "qui : pourquoi ?" })).toBe("qui\u00a0: pourquoi\u00a0?");
  });
  it("name numbered things by their word", () => {
    dictionary.lang = "fr";
    expect(named("archers 3")).toBe("archers à pied 3");
    expect(named("unknown 3")).toBe("unknown 3");
  });
  it("fill a game's templates, ids by their names", () => {
    expect(say("state.spell", { spell: "Care", until: "end" })).toBe("under Care until end");
    expect(fill("{who}, {n}", { who: "red.archers", n: 1.25 })).toBe("archers, 1.25");
    expect(say("state.not-known")).toBe("not known");
  });
});

describe("rolls", () => {
  it("count by total where something is added to one die", () => {
    expect(fates({ name: "x", sides: 10, faces: [4], sense: "high", plus: 3, total: 7, need: 7 })).toEqual(["good"]);
    expect(fates({ name: "x", sides: 10, faces: [4], sense: "over", plus: 3, total: 7, need: 7 })).toEqual(["bad"]);
  });
  it("count each die of many, and none where nothing is needed", () => {
    expect(fates({ name: "x", sides: 6, faces: [2, 4, 6], sense: "high", need: 4 })).toEqual(["bad", "good", "good"]);
    expect(fates({ name: "x", sides: 6, faces: [3], sense: "under", need: 4, plus: 5, total: 8 })).toEqual(["good"]);
    expect(fates({ name: "x", sides: 6, faces: [3], sense: "value" })).toEqual(["none"]);
  });
});

describe("why", () => {
  const changes = [{ what: "HT", op: "base", amount: 4, rule: "g:1" }];
  it("finds every number that can say why", () => {
    const found = accountsIn({ plus: 4, plus_why: changes, need: { value: 7, why: changes }, name: "x", faces: [3] });
    expect(found.map((a) => [a.title, a.value])).toEqual([["plus", 4], ["need", 7]]);
  });
});

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
});
