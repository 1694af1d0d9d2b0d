/** Sentences in both languages, and points of the table. */
export type Lang = "en" | "fr";
export type Words = Record<Lang, string>;
export type Point = [number, number];
