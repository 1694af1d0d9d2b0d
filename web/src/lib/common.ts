/** What people who share a screen may all see: of every state only what each of them knows. */
import type { LogEntry, Said, Scene } from "./protocol";

type Holder = { id: string; states: Said[] };

/** The first scene without the states somebody else's scene does not have. */
export function common(scene: Scene, others: Scene[]): Scene {
  return others.reduce((seen, other) => {
    const kept = <T extends Holder>(mine: T[], theirs: T[]): T[] => {
      const known = new Map(theirs.map((holder) => [holder.id, new Set(holder.states.map(said))]));
      return mine.map((holder) => {
        const states = holder.states.filter((state) => known.get(holder.id)?.has(said(state)) ?? true);
        return states.length === holder.states.length ? holder : { ...holder, states };
      });
    };
    return {
      ...seen,
      sides: kept(seen.sides, other.sides),
      units: kept(seen.units, other.units),
      models: kept(seen.models, other.models),
      tokens: kept(seen.tokens, other.tokens),
      terrain: kept(seen.terrain, other.terrain),
    };
  }, scene);
}

const said = (state: Said) => `${state.code} ${JSON.stringify(state.data)}`;

/** The entries of a log that everybody was told. */
export const openly = (log: LogEntry[]): LogEntry[] => (log.some((entry) => entry.private) ? log.filter((entry) => !entry.private) : log);
