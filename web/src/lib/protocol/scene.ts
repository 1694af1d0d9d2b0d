/** The scene: all that is drawn. */
import type { Change } from "./events";
import type { Point } from "./words";

export interface Said {
  code: string;
  text: string;
  data: Record<string, unknown>;
  rule: string;
}
export interface Count {
  code: string;
  text: string;
  value: number;
  most: number | null;
  /** How it comes about, where the game reckons it from the table; else the server is asked. */
  why?: Change[];
}
export interface Board {
  width: number;
  height: number;
  unit: string;
  unit_mm: number;
}
export interface Ground {
  id: string;
  kind: string;
  name: string;
  points: Point[];
  height: number;
  levels: number[];
  sight: string;
  class: string;
  traits: string[];
  states: Said[];
}
export interface Stand {
  x: number;
  y: number;
  facing: number;
  level: number;
}
export interface Foot {
  shape: "circle" | "oval" | "rectangle";
  width: number;
  depth: number;
}
export interface Figure {
  id: string;
  name: string;
  side: string;
  unit: string;
  card: string;
  pose: Stand | null;
  base: Foot;
  height: number;
  wounds: { now: number; start: number } | null;
  states: Said[];
}
export interface Troop {
  id: string;
  name: string;
  side: string;
  models: string[];
  formation: { files: number; ranks: number } | null;
  outline: Point[] | null;
  states: Said[];
  tags: string[];
  /** The card of a unit whose models have left the scene. */
  card: string;
}
export interface Zone {
  id: string;
  kind: string;
  text: string;
  points: Point[];
  side: string | null;
  circle: { x: number; y: number; radius: number } | null;
  data: Record<string, unknown>;
}
export interface Token {
  id: string;
  kind: string;
  name: string;
  x: number;
  y: number;
  radius: number;
  owner: string | null;
  bearer: string | null;
  states: Said[];
}
export interface Side {
  id: string;
  name: string;
  colour: number;
  score: Count[];
  pools: Count[];
  states: Said[];
}
export interface Clock {
  turn: number;
  phase: string;
  phases: { code: string; text: string; now: boolean }[];
  acting: string | null;
  turns: number | null;
}
export interface Card {
  id: string;
  title: string;
  cells: { label: string; value: string }[];
  grids: { text: string; columns: string[]; rows: string[][] }[];
  abilities: { name: string; rule: string }[];
  tags: string[];
}
export interface Scene {
  table: Board;
  clock: Clock;
  sides: Side[];
  terrain: Ground[];
  models: Figure[];
  units: Troop[];
  zones: Zone[];
  tokens: Token[];
  cards: Record<string, Card>;
}
