/** Every sentence of the page, in the language chosen now. English is the key of the catalogue. */
import type { Lang, Words } from "./protocol";

type Facts = Record<string, unknown>;
/** A fact, `{count}`, or a word by the number a fact is, `{count|model|models}`. */
const FIELD = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?(?::[^}]*)?\}/g;

class Dictionary {
  lang = $state<Lang>("en");
  french = $state.raw<Record<string, string>>({});
  /** The texts of the games, by code. */
  texts = $state.raw<Record<string, Words>>({});
  /** Names of seats, units, models and markers, by id. */
  names = $state.raw<Record<string, Words>>({});
}

export const dictionary = new Dictionary();

/** A sentence of the page: `t("Turn {turn}", { turn: 2 })`. */
export function t(english: string, facts?: Facts): string {
  return fill(translate(english), facts);
}

export function translate(english: string): string {
  return dictionary.lang === "fr" ? glued(dictionary.french[english] ?? english) : english;
}

/** "3 x bows" is one thing: no line ends in it. */
const times = (text: string) => text.replace(/(?<=\d) x (?=\S)/g, "\u00a0×\u00a0");

/** French puts spaces before some signs and into long numbers; no line may end there. */
function glued(text: string): string {
  return text.replace(/ (?=[:;?!»%])|(?<=\d) (?=\d{3}(?!\d))/g, "\u00a0").replace(/« /g, "«\u00a0");
}

/** A sentence the server made in both languages. */
export function both(words: Words | string | undefined | null): string {
  if (words == null) return "";
  const text = times(typeof words === "string" ? words : (words[dictionary.lang] ?? words.en));
  return dictionary.lang === "fr" ? glued(text) : text;
}

/** A sentence as the server made it in both languages, or as the catalogue has it. */
export function told(said: Words | string): string {
  return typeof said === "string" ? t(said) : both(said);
}

/** A name as the catalogues have it; "archers 3", "Aegis (4+)" by their words. */
export function named(name: string): string {
  const known = translate(name);
  if (known !== name) return known;
  const valued = /^([^()]+) \(([^()]+)\)$/.exec(name);
  if (valued) return `${named(valued[1]!)} (${listed(valued[2]!)})`;
  const numbered = /^(.*) (\+?\d+)$/.exec(name);
  return numbered ? `${translate(numbered[1]!)} ${numbered[2]}` : name;
}

/** Several names with commas between them; commas in brackets belong to a name. */
export function listed(names: string): string {
  return names.split(/, (?![^()]*\))/).map(named).join(", ");
}

/** What a line of an account is called: "cover", "S 4 against T 3", "hard-cover", "WS4", "3 dice". */
export function accounted(what: string): string {
  const known = word(what);
  if (known !== null) return known;
  const [one, other] = what.split(" against ");
  if (one && other) return t("{one} against {other}", { one: numbered(one), other: numbered(other) });
  return numbered(what);
}

/** A word with its number, each side of it: "S 4", "WS4", "section-2", "3 dice". */
function numbered(what: string): string {
  const known = word(what);
  if (known !== null) return known;
  const last = /^(.*[^\d\s.-])([ -]?)(-?\d+(?:\.\d+)?)$/.exec(what);
  if (last) return `${word(last[1]!) ?? spaced(last[1]!)} ${number(Number(last[3]))}`;
  const first = /^(\d+(?:\.\d+)?) (.*)$/.exec(what);
  if (first) return `${number(Number(first[1]))} ${word(first[2]!) ?? spaced(first[2]!)}`;
  const part = /^([a-z]+)[-_](.+)$/.exec(what);
  if (part && dictionary.names[part[2]!]) return `${word(part[1]!) ?? part[1]} ${who(part[2]!)}`;
  return spaced(what);
}

const spaced = (what: string) => translate(what.replace(/[-_]/g, " "));

/** The name of a thing, of a characteristic or of a count, or a word of the catalogue. */
function word(what: string): string | null {
  if (dictionary.names[what]) return who(what);
  for (const code of [`why.${what}`, `stat.${what}`, `count.${what}`]) if (known(code)) return say(code);
  const found = translate(what);
  return found === what ? null : found;
}

/** The name of a seat, unit, model or marker by its id. */
export function who(id: string): string {
  const known = dictionary.names[id];
  return known ? both(known) : named(id);
}

/** The sentence of a game's text code with its facts. */
export function say(code: string, facts: Facts = {}): string {
  const text = dictionary.texts[code];
  return text ? fill(both(text), facts) : plain(code);
}

/** Where a rule stands in its book: the number its id begins with; what follows tells rules of one paragraph apart. */
export function paragraph(rule: string): string {
  const id = rule.slice(rule.indexOf(":") + 1);
  return /^[\dA-Z][\dA-Za-z.]*(?=-)/.exec(id)?.[0] ?? id;
}

/** Whether the game has words for a code. */
export function known(code: string): boolean {
  return code in dictionary.texts;
}

/** A code nobody gave a text: its last word. */
export function plain(code: string): string {
  const last = code.slice(code.lastIndexOf(".") + 1).replaceAll("-", " ");
  return translate(last);
}

export function fill(template: string, facts: Facts = {}): string {
  const leant = dictionary.lang === "fr" ? leaning(template, facts) : template;
  return leant.replace(FIELD, (whole, key: string, one: string | undefined, many: string | undefined, at: number) => {
    if (one !== undefined) return singular(facts[key]) ? one : many!;
    if (!(key in facts)) return whole;
    const value = shown(facts[key]);
    return INSIDE.test(leant.slice(0, at)) && LEADS[dictionary.lang].test(value) ? value[0]!.toLowerCase() + value.slice(1) : value;
  });
}
/** A name's article is a small word inside a sentence. */
const INSIDE = /[\p{L}\d,] $/u;
const LEADS: Record<Lang, RegExp> = { en: /^The /, fr: /^L(es? |a |['’])/ };

const LEANING = /(?<!\p{L})(de|que|à) \{(\w+)\}/giu;
const VOWEL = /^[aeiouàâéèêëîïôûœ]/i;
const FUSED: Record<string, string> = { "de le": "du", "de les": "des", "à le": "au", "à les": "aux" };
/** French runs some words together with the name that follows: d'Ogres, du Roi, des enfants perdus. */
function leaning(template: string, facts: Facts): string {
  return template.replace(LEANING, (whole, word: string, key: string) => {
    if (typeof facts[key] !== "string") return whole;
    const value = shown(facts[key]);
    if (word !== "à" && VOWEL.test(value)) return `${word.slice(0, -1)}'{${key}}`;
    const [article, ...rest] = value.split(" ");
    const fused = /^Les?$/.test(article ?? "") && rest.length ? FUSED[`${word} ${article}`.toLowerCase()] : undefined;
    return fused ? `${fused} ${rest.join(" ")}` : whole;
  });
}

/** Whether a number wants the word for one: in French anything below two does. */
function singular(value: unknown): boolean {
  const held = value && typeof value === "object" && "value" in value ? value.value : value;
  const found = typeof held === "number" ? Math.abs(held) : NaN;
  return dictionary.lang === "fr" ? found < 2 : found === 1;
}

function shown(value: unknown): string {
  if (typeof value === "string") return dictionary.names[value] ? who(value) : named(value);
  if (typeof value === "number") return number(value);
  if (Array.isArray(value)) return value.map(shown).join(", ");
  if (value && typeof value === "object" && "value" in value) return shown(value.value);
  return String(value);
}

const locale = () => (dictionary.lang === "fr" ? "fr-FR" : "en-GB");
/** Closer to nothing or to all than this is rounding. */
const CERTAIN = 1e-9;

/** A number as people of the language write it. */
export function number(value: number, digits = 2): string {
  return value.toLocaleString(locale(), { maximumFractionDigits: digits });
}

/** A length as the game's people speak of it: 3.5″, 12 cm. */
export function length(mm: number, board: { unit: string; unit_mm: number }, digits = 1): string {
  return number(mm / board.unit_mm, digits) + (board.unit === "inch" ? "″" : `\u00a0${board.unit}`);
}

/** A share in whole percent; near nothing and near all in tenths, and never as certain what is not. */
export function percent(share: number): string {
  const written = (part: number, digits: number) => part.toLocaleString(locale(), { style: "percent", maximumFractionDigits: digits });
  const doubt = Math.min(share, 1 - share);
  if (doubt < CERTAIN) return written(share, 0);
  if (doubt < 0.0005) return share < 0.5 ? `< ${written(0.001, 1)}` : `> ${written(0.999, 1)}`;
  return written(share, doubt < 0.01 ? 1 : 0);
}

/** The first letter as a capital; names on cards are written small. */
export function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase(dictionary.lang) + text.slice(1);
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** What is asked; who is asked stands above it already. */
export function asked(question: { seat: string; prompt: Words }): string {
  const prompt = both(question.prompt);
  const addressed = new RegExp(`^${literal(who(question.seat))}\\s?: `);
  return capital(prompt.replace(addressed, ""));
}

/** What a turn is called: some games count rounds. */
export function turnOf(turn: number): string {
  if (turn <= 0) return t("Before the battle");
  return known("clock.turn") ? say("clock.turn", { turn }) : t("Turn {turn}", { turn });
}

/** What passing a question means, where the game has a word for it. */
export function passing(question: string, usual: string): string {
  return known(`pass.${question}`) ? capital(say(`pass.${question}`)) : usual;
}

/** Two letters for every name, others for every other name: Mortars are MO, Marshal Ordo beside them MA. */
export function monograms(names: string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of new Set(names)) {
    const taken = [...found.values()];
    const possible = pairs(name);
    found.set(name, possible.find((pair) => !taken.includes(pair)) ?? possible[0]!);
  }
  return found;
}
/** The initials of two words, else the first two letters; then the first with each that follows. */
function pairs(name: string): string[] {
  const words = name.split(/[\s'’.-]+/).filter(Boolean);
  const letters = [...words.join("")];
  const first = letters[0] ?? "?";
  const initials = words.length > 1 ? [first + words[1]![0]!] : [];
  return [...initials, ...letters.slice(1).map((letter) => first + letter), first].map((pair) => pair.toLocaleUpperCase());
}
