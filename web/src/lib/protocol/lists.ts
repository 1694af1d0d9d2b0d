/** Games, armies, matches and rules, as lists of them come. Made by `make pages` from the server's types; not to be edited. */
import type { Words } from "./parts";

export interface ScenarioInfo {
  id: string;
  title: Words;
  summary: Words;
}
export interface HouseRule {
  name: string;
  default: unknown;
  choices: unknown[];
  text: Words;
  rule: string;
  labels: Record<string, Words>;
}
export interface Game {
  id: string;
  title: string;
  unit: string;
  complete: boolean;
  premeasure: boolean;
  referee: boolean;
  seats: [number, number];
  scenarios: ScenarioInfo[];
  house: HouseRule[];
  players: string[];
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
  players: Record<string, string>;
  spectator: string;
  seal: string;
  over: boolean;
  referee?: string | null;
  invitations?: Record<string, string>;
  host?: string | null;
}
export interface InvitedSeat {
  seat: string;
  role: string;
  state: "open" | "revoked" | "taken";
}
export interface SeatInfo {
  match: string;
  seat: string | null;
  role: string;
  game: string;
  title: string;
  over: boolean;
  version: number;
  players: Record<string, string>;
  created: string;
  played: string;
  sides: Words[];
}
export interface Rule {
  id: string;
  title: Words;
  summary: Words;
  kind: string;
}
