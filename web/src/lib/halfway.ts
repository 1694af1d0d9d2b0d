/** Half-made answers, kept in this tab as long as their question is asked: a reload loses none of them. */
import { untrack } from "svelte";

/** Who is asked, and what: a link, and the question as one that stays the same while others answer. */
export interface Asking {
  token: string;
  asked: string;
}
const KEY = "grognard.halfway.";

const lookAt = (of: Asking): Asking => untrack(() => ({ token: of.token, asked: of.asked }));

/** Keep what was made of an answer so far; null is nothing. */
export function keepHalf(of: Asking, made: unknown): void {
  const { token, asked } = lookAt(of);
  if (!token) return;
  try {
    if (made === null) sessionStorage.removeItem(KEY + token);
    else sessionStorage.setItem(KEY + token, JSON.stringify({ asked, made }));
  } catch {
    // nothing can be kept here: then a reload begins anew
  }
}

/** What was made of the answer before, if it is of that kind; else null. */
export function halfOf<T>(of: Asking, fits: (made: unknown) => made is T): T | null {
  const { token, asked } = lookAt(of);
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY + token) ?? "null") as { asked?: unknown; made?: unknown } | null;
    return kept?.asked === asked && fits(kept.made) ? kept.made : null;
  } catch {
    return null;
  }
}

/** Whether something is some of these keys, each once. */
export const someOf =
  (keys: string[]) =>
  (made: unknown): made is string[] =>
    Array.isArray(made) && made.every((key, i) => keys.includes(key as string) && made.indexOf(key) === i);
