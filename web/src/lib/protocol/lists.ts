/** Games, armies, matches and rules, as lists of them come. */
import type { Words } from "./words";

export interface HouseRule {
  name: string;
  default: unknown;
  choices: unknown[];
  text: Words;
  rule: string;
  /** What the choices are called, where they are words. */
  labels?: Record<string, Words>;
}
export interface Game {
  id: string;
  title: string;
  unit: string;
  complete: boolean;
  premeasure: boolean;
  referee?: boolean;
  seats: [number, number];
  scenarios: { id: string; title: Words; summary: Words }[];
  house: HouseRule[];
  players?: string[];
}
export interface Army {
  id: string;
  title: Words;
  faction: Words;
  points: number;
  models: number;
  summary: Words;
}
export interface Created {
  id: string;
  links: Record<string, string>;
  players?: Record<string, string>;
  spectator: string;
  referee?: string;
  seal: string | null;
  over?: boolean;
}
export interface SeatInfo {
  match: string;
  seat: string | null;
  role: string;
  game: string;
  over: boolean;
  version?: number;
  title?: Words | string;
  /** What each side is called. */
  sides?: Words[];
}
export interface Rule {
  id: string;
  title: Words | string;
  summary: Words | string;
  kind?: string;
}
