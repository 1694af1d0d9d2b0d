/** A move being tried out: the ghosts of a Place question, before anyone confirms them. */
import { carried, clamp, middleOf, pathLength, ranked, type Spot } from "./geometry";
import type { MatchStore } from "./match.svelte";
import type { Checked, Foot, Ghost, PlaceAsk, Placement, Point, Reach, Stand, Words } from "./protocol";

export interface Verdict {
  ok: boolean;
  text: Words | string | null;
  rule: string;
  mover: string | null;
}

export class Placing {
  ghosts = $state.raw<Record<string, Ghost>>({});
  /** Where a body is being carried before the server has said where it may stand. */
  wished = $state.raw<Record<string, Ghost>>({});
  placement = $state.raw<Placement | null>(null);
  verdict = $state.raw<Verdict | null>(null);
  reach = $state.raw<Reach | null>(null);
  /** Move one model instead of the body. */
  single = $state(false);
  mover = $state<string | null>(null);
  proposal = $state<string | null>(null);
  /** Proposals that came to nothing: there is no room, or no way. */
  empty = $state<string[]>([]);
  dragging = $state(false);
  working = $state(false);
  #asked = 0;
  #queue: (() => Promise<void>) | null = null;
  #running = false;
  /** Corners of the way a single model goes, between its start and its end. */
  #corners: Record<string, Point[]> = {};

  constructor(private readonly match: MatchStore) {}

  get question(): PlaceAsk | null {
    const q = this.match.question;
    return q?.kind === "place" ? q : null;
  }
  get any(): boolean {
    return Object.keys(this.ghosts).length > 0;
  }
  get ready(): boolean {
    return this.placement !== null && this.verdict?.ok === true && !this.working;
  }

  clear(): void {
    this.#asked++;
    this.#queue = null;
    this.#corners = {};
    this.ghosts = {};
    this.wished = {};
    this.placement = null;
    this.verdict = null;
    this.reach = null;
    this.mover = null;
    this.proposal = null;
    this.empty = [];
    this.dragging = false;
    this.working = false;
    this.single = false;
  }

  /** The models that move: a mover may be a whole unit, which goes as a block. */
  get movers(): string[] {
    const troops = this.match.scene?.units ?? [];
    return (this.question?.movers ?? []).flatMap((id) => {
      const troop = this.match.models.has(id) ? undefined : troops.find((unit) => unit.id === id);
      return troop ? [...troop.models] : [id];
    });
  }
  /** Whether they go as a block: as the game's rules of formations say, not one by one. */
  get block(): boolean {
    const units = this.match.scene?.units ?? [];
    return (this.question?.movers ?? []).some((id) => !this.match.models.has(id) && units.some((unit) => unit.id === id));
  }
  /** The mover of the question a model belongs to. */
  #moverOf(model: string): string {
    const movers = this.question?.movers ?? [];
    return movers.includes(model) ? model : (this.match.models.get(model)?.unit ?? model);
  }

  /** Where each mover stands now: its ghost, else itself. */
  stands(): Record<string, Stand> {
    const found: Record<string, Stand> = {};
    for (const id of this.movers) {
      const ghost = this.ghosts[id];
      const pose = this.match.models.get(id)?.pose;
      if (ghost) found[id] = { x: ghost.x, y: ghost.y, facing: ghost.facing, level: 0 };
      else if (pose) found[id] = pose;
    }
    return found;
  }

  start(mover: string): void {
    this.mover = mover;
    this.proposal = null;
    this.#askReach(mover);
  }

  #askReach(mover: string): void {
    if (this.reach?.mover === mover || !this.match.measuring) return; // where measuring is forbidden nothing is drawn
    const asked = this.#asked;
    this.reach = null;
    void this.match
      .request<Reach>({ type: "reach", mover: this.#moverOf(mover), name: this.question?.name })
      .then((found) => {
        if (asked === this.#asked && (this.mover ?? mover) === mover) this.reach = { ...found, mover };
      })
      .catch(() => undefined);
  }

  /** The mover whose way is told, how far it goes and how far it may go (mm); null where nobody goes or may measure. */
  get way(): { id: string; gone: number; limit: number | null } | null {
    const ids = Object.keys(this.ghosts);
    const far = (one: string) => this.#far(one) ?? -1;
    const furthest = ids.reduce((best, one) => (far(one) > far(best) ? one : best), ids[0] ?? "");
    const id = this.mover && this.ghosts[this.mover] ? this.mover : (ids.find((one) => one === this.reach?.mover) ?? furthest);
    const gone = id ? this.#far(id) : null;
    if (!id || gone === null) return null;
    if (!this.match.measuring && !this.verdict?.ok) return null; // a ghost must not become a tape measure
    return { id, gone, limit: this.reach?.mover === id ? this.reach.left_mm : null };
  }

  /** How far a mover goes (mm); a block goes as far as its rules count. */
  #far(id: string): number | null {
    const ghost = this.ghosts[id];
    const pose = this.match.models.get(id)?.pose;
    return ghost && pose ? (ghost.far ?? pathLength([[pose.x, pose.y], ...ghost.path])) : null;
  }

  /** Carry the mover (and its body) to a point. */
  carry(mover: string, to: Spot, facing?: number): void {
    const question = this.question;
    const board = this.match.scene?.table;
    if (!question || !board) return;
    const spot = { x: clamp(to.x, 0, board.width), y: clamp(to.y, 0, board.height) };
    if (this.single && this.any && !this.block) {
      this.#moveOne(mover, spot, facing);
      return;
    }
    // what is being set up keeps the way it was turned
    const kept = facing ?? (this.match.models.get(mover)?.pose ? undefined : this.ghosts[mover]?.facing);
    this.wished = this.#guess(mover, spot, kept);
    const goal = this.block ? this.#middle(mover, spot) : spot;
    this.#later(() => this.#body(question, this.#moverOf(mover), goal, kept));
  }

  /** Put what moves at a point: of a block its middle. */
  put(mover: string, to: Spot): void {
    const stands = this.stands();
    const from = this.block ? stands[mover] : undefined;
    const middle = middleOf(Object.values(stands));
    this.carry(mover, from ? { x: to.x + from.x - middle.x, y: to.y + from.y - middle.y } : to);
  }

  /** Where the middle of a block is to come when one of its models is carried to a point. */
  #middle(mover: string, spot: Spot): Spot {
    const stands = this.stands();
    const from = stands[mover];
    if (!from) return spot;
    const middle = middleOf(Object.values(stands));
    return { x: spot.x + middle.x - from.x, y: spot.y + middle.y - from.y };
  }

  #guess(mover: string, spot: Spot, facing?: number): Record<string, Ghost> {
    const starts = this.stands();
    if (starts[mover]) return carried(starts, mover, spot, this.match.scene!.table);
    const movers = this.movers;
    const bases: Record<string, Foot> = {};
    for (const id of movers) {
      const base = this.match.models.get(id)?.base;
      if (base) bases[id] = base;
    }
    const inward = spot.y > this.match.scene!.table.height / 2 ? 180 : 0;
    return ranked(movers, bases, spot, facing ?? inward);
  }

  #moveOne(mover: string, spot: Spot, facing?: number): void {
    const old = this.ghosts[mover] ?? this.#still(mover);
    if (!old) return;
    const ghost: Ghost = { x: spot.x, y: spot.y, facing: facing ?? old.facing, path: [...(this.#corners[mover] ?? []), [spot.x, spot.y]] };
    this.ghosts = { ...this.ghosts, [mover]: ghost };
    const track = { path: ghost.path, facing: ghost.facing };
    this.placement = { ...(this.placement ?? {}), [mover]: track };
    const wire = this.placement;
    this.#later(() => this.#check(wire));
  }

  #still(mover: string): Ghost | null {
    const pose = this.match.models.get(mover)?.pose;
    return pose ? { x: pose.x, y: pose.y, facing: pose.facing, path: [] } : null;
  }

  /** Keep the end of a single model's way as a corner and go on from it. */
  bend(): void {
    const mover = this.mover;
    const ghost = mover ? this.ghosts[mover] : undefined;
    if (mover && ghost && this.single) this.#corners[mover] = [...(this.#corners[mover] ?? []), [ghost.x, ghost.y]];
  }

  /** Turn the mover, or the whole body. */
  turn(degrees: number): void {
    if (this.block) {
      this.#wheel(degrees);
      return;
    }
    const movers = this.single && this.mover ? [this.mover] : (this.question?.movers ?? []);
    if (!this.placement && this.question?.optional !== undefined) this.placement = {};
    const ghosts = { ...this.ghosts };
    const placement: Placement = { ...this.placement };
    for (const id of movers) {
      const ghost = ghosts[id] ?? this.#still(id);
      if (!ghost) continue;
      const facing = (ghost.facing + degrees + 360) % 360;
      ghosts[id] = { ...ghost, facing };
      placement[id] = { path: pathOf(placement[id], ghost), facing };
    }
    this.ghosts = ghosts;
    this.placement = placement;
    this.#later(() => this.#check(placement));
  }

  /** Turn a block: which way it can the rules say. */
  #wheel(degrees: number): void {
    const question = this.question;
    const stands = this.stands();
    const mover = this.mover ?? this.movers[0];
    const stand = mover ? stands[mover] : undefined;
    if (!question || !mover || !stand) return;
    const facing = (stand.facing + degrees + 360) % 360;
    this.#later(() => this.#body(question, this.#moverOf(mover), middleOf(Object.values(stands)), facing));
  }

  /** Turn so that the mover looks at a point. */
  face(mover: string, facing: number): void {
    const ghost = this.ghosts[mover] ?? this.#still(mover);
    if (ghost) this.turn(facing - ghost.facing);
  }

  /** Try a proposal; where there is no such placement, those that follow, until one is legal. */
  propose(name: string, next: string[] = []): void {
    const question = this.question;
    if (!question) return;
    this.proposal = name;
    const lead = this.movers.find((id) => this.match.models.get(id)?.pose);
    if (lead) this.#askReach(this.mover ?? lead);
    this.#later(async () => {
      for (const proposal of [name, ...next]) {
        const reply = await this.#judged({ type: "propose", name: question.name, proposal });
        if (this.#queue) return; // something else is wanted by now
        if (!reply.ok) this.empty = [...this.empty, proposal];
        if (!reply.ok && proposal !== next.at(-1) && next.length) continue;
        this.proposal = proposal;
        this.#take(reply, reply.ok ? { propose: proposal } : null);
        return;
      }
    });
  }

  async confirm(): Promise<void> {
    if (!this.placement || !this.ready) return;
    if (await this.match.answer(this.placement)) this.clear();
  }

  async #body(question: PlaceAsk, mover: string, spot: Spot, facing?: number): Promise<void> {
    const message = { type: "body", name: question.name, mover, x: spot.x, y: spot.y, ...(facing === undefined ? {} : { facing }) };
    const reply = await this.#judged(message);
    if (reply.placement || reply.ghost) {
      this.#take(reply, null);
      return;
    }
    // no body the server knows of fits there: judge the formation as it was carried
    const wished = this.wished;
    if (!Object.keys(wished).length) return;
    this.ghosts = wished;
    this.wished = {};
    this.placement = wireOf(wished);
    await this.#check(this.placement);
  }

  async #check(placement: Placement): Promise<void> {
    const question = this.question;
    if (!question) return;
    this.#judge(await this.#judged({ type: "check", name: question.name, value: placement }));
  }

  /** What the rules say; nothing at all once something else is asked. */
  async #judged(message: Record<string, unknown>): Promise<Checked> {
    const asked = this.#asked;
    const reply = await this.match.request<Checked>(message);
    if (asked !== this.#asked) throw new Late();
    return reply;
  }

  #take(reply: Checked, fallback: Placement | null): void {
    this.placement = reply.placement ?? fallback;
    const drawn = reply.ghost ?? (this.placement ? ghostsOf(this.placement, (id) => this.#still(id)) : {});
    this.ghosts = drawn;
    this.wished = {};
    this.#corners = {};
    this.#judge(reply);
  }

  #judge(reply: Checked): void {
    const refusal = reply.refusal;
    this.verdict = {
      ok: reply.ok,
      text: refusal?.text ?? null,
      rule: refusal?.rule ?? "",
      mover: refusal?.mover ?? null,
    };
  }

  /** One request at a time, the newest wish next: the pointer is quicker than the rules. */
  #later(work: () => Promise<void>): void {
    this.#queue = work;
    this.working = true;
    if (!this.#running) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#queue) {
      const work = this.#queue;
      const asked = this.#asked;
      this.#queue = null;
      try {
        await work();
      } catch (error) {
        if (asked === this.#asked) this.match.complain(error);
      }
    }
    this.#running = false;
    this.working = false;
  }
}

/** An answer of the rules to a question that is no longer asked. */
class Late extends Error {}

function pathOf(track: unknown, ghost: Ghost): Point[] {
  if (track && typeof track === "object" && "path" in track) return (track as { path: Point[] }).path;
  return ghost.path;
}

function wireOf(ghosts: Record<string, Ghost>): Placement {
  return Object.fromEntries(Object.entries(ghosts).map(([id, g]) => [id, { path: g.path, facing: g.facing }]));
}

/** What a placement of single models looks like; other forms are drawn by the server's `ghost`. */
export function ghostsOf(placement: Placement, still: (id: string) => Ghost | null): Record<string, Ghost> {
  const found: Record<string, Ghost> = {};
  for (const [id, track] of Object.entries(placement)) {
    if (!track || typeof track !== "object") continue;
    const given = Array.isArray(track) ? { path: [track as Point] } : (track as { path?: Point[]; facing?: number });
    const start = still(id);
    const path = given.path ?? [];
    const end = path[path.length - 1] ?? (start ? [start.x, start.y] : undefined);
    if (end) found[id] = { x: end[0], y: end[1], facing: given.facing ?? start?.facing ?? 0, path };
  }
  return found;
}
