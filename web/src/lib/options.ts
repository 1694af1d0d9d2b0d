/** The options of questions. */
import type { Choice, Question } from "./protocol";

/** The options about some things before the others, each in their order. */
export function firstAbout(options: Choice[], things: Set<string | null>): Choice[] {
  const about = (option: Choice) => option.about.some((id) => things.has(id));
  return [...options.filter(about), ...options.filter((option) => !about(option))];
}

export function optionsOf(question: Question | null): Choice[] {
  return question && (question.kind === "pick" || question.kind === "split" || question.kind === "order")
    ? question.options
    : [];
}
