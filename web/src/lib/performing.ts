/** What keys do at the table. */
import { actionOf, belongsToField, following, type Action } from "./keyboard";
import type { MatchStore } from "./match.svelte";
import type { Placing } from "./placing.svelte";
import { accountsIn, showAccounts } from "./why.svelte";
import { both, capital } from "./words.svelte";

/** What of the page keys can reach. */
export interface Desk {
  readonly table?: {
    arrow(way: "up" | "down" | "left" | "right", fine: boolean): void;
    fit(): void;
    zoomBy(factor: number): void;
    focus(): void;
    sightOfSelected(): void;
  };
  showHelp(): void;
  showLog(): void;
}

/** So much nearer or farther a key brings the table. */
const ZOOM = 1.4;
/** So many numbers have a button each, and a key. */
const FEW = 12;

export class Performing {
  constructor(
    private readonly match: MatchStore,
    private readonly placing: Placing,
    private readonly desk: Desk,
  ) {}

  key = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || belongsToField(event.target, event.key)) return;
    const action = actionOf(event);
    if (!action || (action.do === "arrow" && !this.#arrowsAreOurs(event.target))) return;
    if (this.#perform(action)) event.preventDefault();
  };

  #arrowsAreOurs(target: EventTarget | null): boolean {
    return this.placing.question !== null || !(target instanceof Element) || target.closest("svg[role=application]") !== null;
  }

  /** Whether there was anything to do. */
  #perform(action: Action): boolean {
    const { match, placing } = this;
    switch (action.do) {
      case "option":
        return this.#option(action.place);
      case "decline":
        return this.#decline();
      case "confirm":
        return this.#confirm();
      case "cancel":
        return this.#cancel();
      case "turn":
        placing.turn(action.degrees);
        return placing.question !== null;
      case "wheel":
        placing.wheel(action.degrees);
        return placing.question !== null;
      case "climb":
        placing.climb(action.step);
        return placing.question !== null;
      case "widen":
        placing.widen(action.step);
        return placing.question !== null;
      case "proposal":
        return this.#propose(action.step);
      case "single":
        placing.single = placing.loose && !placing.single;
        return true;
      case "model":
        return this.#adjust(action.step);
      case "bend":
        placing.bend();
        return true;
      case "undo":
        if (match.state?.undo.possible) void match.undo();
        return true;
      case "why":
        return this.#why();
      case "moment":
        void match.look((match.moment ?? match.answers) + action.step);
        return true;
      default:
        this.#look(action);
        return true;
    }
  }

  /** Take up another single model of a body that may be adjusted. */
  #adjust(step: 1 | -1): boolean {
    const { placing } = this;
    const next = placing.loose ? following(placing.movers, placing.single ? placing.mover : null, step) : undefined;
    if (!next) return false;
    placing.single = true;
    placing.start(next);
    return true;
  }

  /** What only changes what is seen. */
  #look(action: Action): void {
    const { match } = this;
    const { table } = this.desk;
    if (action.do === "arrow") table?.arrow(action.way, action.fine);
    else if (action.do === "help") this.desk.showHelp();
    else if (action.do === "log") this.desk.showLog();
    else if (action.do === "fit") table?.fit();
    else if (action.do === "zoom-in") table?.zoomBy(ZOOM);
    else if (action.do === "zoom-out") table?.zoomBy(1 / ZOOM);
    else if (action.do === "table") table?.focus();
    else if (action.do === "measure" && match.measuring) match.tool = match.tool === "measure" ? "hand" : "measure";
    else if (action.do === "sight") {
      match.tool = match.tool === "sight" ? "hand" : "sight";
      if (match.tool === "sight") table?.sightOfSelected();
    }
  }

  #decline(): boolean {
    const { match } = this;
    if (match.question?.kind === "number") return this.#option(-1);
    if (match.question?.kind === "roll") return this.#option(9);
    if (match.mayDecline) void match.decline();
    return match.mayDecline;
  }

  /** From the past one comes back first; what was begun now stays. */
  #cancel(): boolean {
    const { match } = this;
    if (match.moment !== null) {
      void match.look(null);
      return true;
    }
    this.placing.clear();
    match.selected = null;
    match.tool = "hand";
    match.point(null);
    return true;
  }

  #option(place: number): boolean {
    const { match } = this;
    const question = match.question;
    if (question?.kind === "place") {
      const shown = document.querySelectorAll<HTMLButtonElement>(".decision [data-proposal]")[place];
      shown?.click();
      return shown !== undefined;
    }
    if (question?.kind === "number" && (question.high - question.low) / question.step < FEW) {
      const value = place + 1;
      if (value >= question.low && value <= question.high) void match.answer(value);
      return true;
    }
    if (question?.kind === "roll") {
      const face = document.querySelector<HTMLButtonElement>(`.faces [data-face="${place + 1}"]`);
      face?.click();
      return face !== null;
    }
    const chosen = question?.kind === "pick" ? match.offered[place] : undefined;
    if (chosen) void match.choose(chosen);
    return !!chosen;
  }

  #confirm(): boolean {
    const { match, placing } = this;
    const question = match.question;
    if (question?.kind === "place" && placing.ready) void placing.confirm();
    else if (question?.kind === "pick" && question.most > 1 && match.ticked.length >= question.least) void match.answer(match.ticked);
    else if (question?.kind === "pick" && match.pointed) {
      const pointed = question.options.find((option) => option.key === match.pointed);
      if (pointed) void match.choose(pointed);
    } else document.querySelector<HTMLButtonElement>(".decision [data-confirm]:not(:disabled)")?.click();
    return true;
  }

  #propose(step: 1 | -1): boolean {
    const { match, placing } = this;
    const names = match.question?.kind === "place" ? match.question.proposals.map((proposal) => proposal.name) : [];
    const next = following(names, placing.proposal, step);
    if (next) placing.propose(next);
    return next !== undefined;
  }

  #why(): boolean {
    const roll = this.match.log.findLast((entry) => entry.kind === "roll");
    if (roll) showAccounts(() => capital(both(roll.text)), accountsIn(roll.data), roll.rule);
    return roll !== undefined;
  }
}
