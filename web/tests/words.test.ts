import { beforeEach, describe, expect, it } from "vitest";
import type { Choice, LogEntry } from "../src/lib/protocol";
import { firstAbout } from "../src/lib/options";
import { aboutOf, fates, lying, stale, totalOf } from "../src/lib/rolls";
import { accountsIn } from "../src/lib/why.svelte";
import { accounted, asked, both, dictionary, fill, length, listed, monograms, named, paragraph, passing, percent, say, t, turnOf } from "../src/lib/words.svelte";

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
  it("name what has values by its words, commas in brackets included", () => {
    dictionary.lang = "fr";
    expect(named("archers (4+)")).toBe("archers à pied (4+)");
    expect(listed("archers (+1 Str, archers), archers")).toBe("archers à pied (+1 Str, archers à pied), archers à pied");
  });
  it("take the form a number wants, French from two on", () => {
    const template = "{n} {n|hit|hits}";
    expect([0, 1, 1.5, 2].map((n) => fill(template, { n }))).toEqual(["0 hits", "1 hit", "1.5 hits", "2 hits"]);
    expect(fill("{n|one|many}", { n: { value: 1 } })).toBe("one");
    expect(fill("{n|one|many}")).toBe("many");
    dictionary.lang = "fr";
    expect([0, 1, 1.5, 2].map((n) => fill("{n|un|deux}", { n }))).toEqual(["un", "un", "un", "deux"]);
  });
  it("fill a game's templates, ids by their names", () => {
    expect(say("state.spell", { spell: "Care", until: "end" })).toBe("under Care until end");
    expect(fill("{who}, {n}", { who: "red.archers", n: 1.25 })).toBe("archers, 1.25");
    expect(say("state.not-known")).toBe("not known");
  });
});

describe("what a game words itself", () => {
  it("is the turn, passing, and what is asked without who is", () => {
    expect([turnOf(0), turnOf(2)]).toEqual(["Before the battle", "Turn 2"]);
    expect(passing("move", "Pass")).toBe("Pass");
    dictionary.texts = { "clock.turn": { en: "Round {turn}", fr: "Round {turn}" }, "pass.move": { en: "nobody moves", fr: "personne" } };
    expect(turnOf(2)).toBe("Round 2");
    expect(passing("move", "Pass")).toBe("Nobody moves");
    dictionary.names = { red: { en: "The Guard (1st)", fr: "La Garde" } };
    const question = { seat: "red", prompt: { en: "The Guard (1st): who moves?", fr: "La Garde : qui bouge ?" } };
    expect(asked(question)).toBe("Who moves?");
    dictionary.lang = "fr";
    expect(asked(question)).toBe("Qui bouge\u00a0?");
  });
  it("is two letters for every name, others for others", () => {
    const found = monograms(["Mortars", "Marshal Ordo", "Siege Tank", "Stalkers", "Mortars", "Ox"]);
    expect([...found.values()]).toEqual(["MO", "MA", "ST", "SA", "OX"]);
  });
  it("has names whose article is small inside a sentence", () => {
    dictionary.names = { a: { en: "The Lost Children", fr: "La procession" }, b: { en: "Theodor", fr: "Lances" } };
    expect(fill("{x}: the zone of {x}", { x: "a" })).toBe("The Lost Children: the zone of the Lost Children");
    expect(fill("{x} of {y}", { x: "b", y: "b" })).toBe("Theodor of Theodor");
    dictionary.lang = "fr";
    expect(fill("{x} : la zone de {x}", { x: "a" })).toBe("La procession : la zone de la procession");
    expect(fill("zone de {x}", { x: "b" })).toBe("zone de Lances");
  });
});

describe("rolls", () => {
  it("are spoilt by a face, whatever they come to", () => {
    const data = { name: "x", sides: 10, faces: [10, 3, 1], sense: "high" as const, need: 14, total: 19 };
    expect(fates(data)).toEqual(["good", "good", "good"]);
    expect(fates({ ...data, spoilt: 1 })).toEqual(["none", "none", "bad"]);
  });
  it("count by total where something is added to one die", () => {
    expect(fates({ name: "x", sides: 10, faces: [4], sense: "high", plus: 3, total: 7, need: 7 })).toEqual(["good"]);
    expect(fates({ name: "x", sides: 10, faces: [4], sense: "over", plus: 3, total: 7, need: 7 })).toEqual(["bad"]);
  });
  it("count each die of many where each counts, and none where nothing is needed", () => {
    expect(fates({ name: "x", sides: 6, faces: [2, 4, 6], sense: "high", need: 4, each: true })).toEqual(["bad", "good", "good"]);
    expect(fates({ name: "x", sides: 6, faces: [3], sense: "under", need: 4, plus: 5, total: 8 })).toEqual(["good"]);
    expect(fates({ name: "x", sides: 6, faces: [3], sense: "value" })).toEqual(["none"]);
  });
});

describe("rolls of several dice", () => {
  it("tells dice that do not count apart", () => {
    const charge = { name: "charge.range", sides: 6, faces: [5, 1, 6], sense: "value" as const, total: 11, drop: 1 };
    expect(fates(charge)).toEqual(["none", "dropped", "none"]);
    const test = { name: "panic", sides: 6, faces: [6, 2, 4], sense: "under" as const, need: 7, total: 6, drop: -1 };
    expect(fates(test)).toEqual(["dropped", "good", "good"]);
  });
  it("are added up unless each counts", () => {
    const test = { name: "x", sides: 6, faces: [6, 5], sense: "under" as const, need: 7 };
    expect(fates(test)).toEqual(["bad", "bad"]);
    expect(totalOf(test)).toBe(11);
    expect(totalOf({ ...test, each: true, plus: -2, total: 9 })).toBeNull();
    expect(totalOf({ ...test, sense: "value", need: undefined })).toBeNull();
  });
  const entry = (n: number, kind: string, phase: string, about: string[] = ["red"]): LogEntry => ({
    n, answer: n, kind, phase, about, turn: 1, rule: "", text: { en: "roll", fr: "jet" }, data: { name: "hit" },
  });
  it("lie in the tray as long as their phase lasts", () => {
    const log = [entry(1, "roll", "shoot"), entry(20, "roll", "shoot"), entry(22, "told", "shoot")];
    expect(lying(log).map((e) => e.n)).toEqual([20, 22]);
    expect(lying([...log, entry(23, "told", "fight")])).toEqual([]);
    expect([stale(log, log), stale(log, [...log, entry(23, "told", "fight")]), stale([], log)]).toEqual([false, true, false]);
  });
  it("name a model for its unit, and nobody twice", () => {
    dictionary.names = { u: { en: "Levies", fr: "" }, m: { en: "Levies 20", fr: "" }, o: { en: "Stalkers", fr: "" } };
    const unitOf = (id: string) => (id === "m" ? "u" : undefined);
    expect(aboutOf(entry(1, "roll", "x", ["red", "u", "m", "o", "o"]), unitOf)).toEqual(["Levies 20", "Stalkers"]);
    expect(aboutOf(entry(1, "roll", "x", ["red", "u", "o", "m"]), unitOf)).toEqual(["Levies 20", "Stalkers"]);
  });
});

describe("options", () => {
  const option = (key: string, ...about: string[]): Choice => ({ key, about, text: "", data: {}, label: { en: key, fr: key } });
  it("about what is selected come first, each in their order", () => {
    const found = firstAbout([option("1", "a"), option("2", "b", "c"), option("3", "b"), option("4")], new Set(["b"]));
    expect(found.map((o) => o.key)).toEqual(["2", "3", "1", "4"]);
  });
});

describe("French", () => {
  it("runs some words together with the name that follows", () => {
    dictionary.lang = "fr";
    dictionary.names = { a: { en: "", fr: "Les enfants perdus" }, b: { en: "", fr: "Ogres" }, c: { en: "", fr: "Lances" } };
    expect(fill("zone de {side}", { side: "a" })).toBe("zone des enfants perdus");
    expect(fill("zone de {side}", { side: "b" })).toBe("zone d'Ogres");
    expect(fill("zone de {side}", { side: "c" })).toBe("zone de Lances");
    expect(fill("face à {side}", { side: "a" })).toBe("face aux enfants perdus");
    expect(fill("mande {side}", { side: "b" })).toBe("mande Ogres");
    dictionary.lang = "en";
    expect(fill("de {side}", { side: "a" })).toBe("de ");
    dictionary.names = {};
  });
});

describe("accounts", () => {
  beforeEach(() => {
    dictionary.lang = "fr";
    dictionary.french = { "{one} against {other}": "{one} contre {other}", dice: "dés", "hard cover": "couvert lourd", charge: "charge" };
    dictionary.texts = { "stat.S": { en: "S", fr: "F" }, "stat.T": { en: "T", fr: "E" }, "why.musicien": { en: "musician", fr: "musicien" } };
    dictionary.names = { red: { en: "Red", fr: "Rouges" } };
  });
  it("are told with their numbers", () => {
    expect(accounted("S 4 against T 3")).toBe("F 4 contre E 3");
    expect(accounted("S4")).toBe("F 4");
    expect(accounted("3 dice")).toBe("3 dés");
    expect(accounted("hard-cover")).toBe("couvert lourd");
    expect(accounted("score_red")).toBe("score Rouges");
    expect(accounted("charge")).toBe("charge");
  });
  it("are told in English too where the rules use another word", () => {
    dictionary.lang = "en";
    expect(accounted("musicien")).toBe("musician");
    expect(accounted("banner-lost")).toBe("banner lost");
  });
});

describe("lengths", () => {
  it("are said as the game's people do, and no line ends in a number", () => {
    dictionary.lang = "fr";
    expect(length(88.9, { unit: "inch", unit_mm: 25.4 })).toBe("3,5″");
    expect(length(300, { unit: "cm", unit_mm: 10 })).toBe("30\u00a0cm");
    expect(both({ en: "", fr: "Pacte de Fer, 1 000 points" })).toBe("Pacte de Fer, 1\u00a0000 points");
  });
});

describe("shares", () => {
  it("are whole percent, and only what is certain is none or all", () => {
    expect([0, 0.25, 0.634, 0.99, 1].map(percent)).toEqual(["0%", "25%", "63%", "99%", "100%"]);
    expect([0.0087, 0.0004, 0.9934, 0.999, 0.99996].map(percent)).toEqual(["0.9%", "< 0.1%", "99.3%", "99.9%", "> 99.9%"]);
    expect([1 - 1e-12, 1e-12].map(percent)).toEqual(["100%", "0%"]);
  });
});

describe("why", () => {
  it("does not tell nothing", () => {
    expect(accountsIn({ plus: 0, plus_why: [{ what: "modifiers", op: "base", amount: 0, rule: "g:1" }] })).toEqual([]);
  });
  const changes = [{ what: "HT", op: "base", amount: 4, rule: "g:1" }];
  it("finds every number that can say why", () => {
    const found = accountsIn({ plus: 4, plus_why: changes, need: { value: 7, why: changes }, name: "x", faces: [3] });
    expect(found.map((a) => [a.title, a.value])).toEqual([["plus", 4], ["need", 7]]);
  });
});

describe("a rule", () => {
  it("is shown by the number of its paragraph", () => {
    expect(paragraph("nemesis:8.3-alternate")).toBe("8.3");
    expect(paragraph("nemesis:A2.R.1-care")).toBe("A2.R.1");
    expect(paragraph("t9a:15.F.a.2")).toBe("15.F.a.2");
    expect(paragraph("ades:13.2-membre-supplementaire")).toBe("13.2");
    expect(paragraph("table")).toBe("table");
  });
});
