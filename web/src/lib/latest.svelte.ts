/** Requests one at a time, the newest wish next: the pointer is quicker than the rules. */
import { Problem } from "./api";

export class Latest {
  working = $state(false);
  #wish: (() => Promise<void>) | null = null;
  #failed: (() => Promise<void>) | null = null;
  #running = false;
  #era = 0;

  /** `failed` hears of whatever went wrong with a wish that still counts. */
  constructor(private readonly failed: (error: unknown) => void) {}

  /** Whether something newer waits already. */
  get waiting(): boolean {
    return this.#wish !== null;
  }

  later(work: () => Promise<void>): void {
    this.#wish = work;
    this.working = true;
    if (!this.#running) void this.#drain();
  }

  /** Nothing that was wished so far counts any more. */
  forget(): void {
    this.#era++;
    this.#wish = null;
    this.#failed = null;
    this.working = false;
  }

  /** Whether a request made in that era still counts. */
  get era(): number {
    return this.#era;
  }

  /** Ask again what was asked when the connection was lost. */
  again(): void {
    const failed = this.#failed;
    this.#failed = null;
    if (failed) this.later(failed);
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#wish) {
      const [work, era] = [this.#wish, this.#era];
      this.#wish = null;
      try {
        await work();
      } catch (error) {
        if (era !== this.#era) continue;
        if (error instanceof Problem && error.code === "offline") this.#failed = this.#wish ?? work;
        this.failed(error);
      }
    }
    this.#running = false;
    this.working = false;
  }
}
