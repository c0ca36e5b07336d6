import type { Clock } from "@creditgate/core";

/** The clock of a process that can stop, sleep and die. What was due meanwhile is done when it goes on. */
export class FleetClock implements Clock {
  readonly resolutionMs = 0;
  readonly #world: Clock;
  #stoppedUntil = Number.NEGATIVE_INFINITY;
  #sleptMs = 0;
  #isDead = false;

  constructor(world: Clock) {
    this.#world = world;
  }

  now(): number {
    return this.#world.now() - this.#sleptMs;
  }

  wall(): number {
    return this.#world.now();
  }

  schedule(delayMs: number, run: () => void): () => void {
    let isCancelled = false;
    const cancel = this.#world.schedule(Math.max(0, delayMs), () =>
      this.deliver(() => {
        if (!isCancelled) run();
      }),
    );
    return () => {
      isCancelled = true;
      cancel();
    };
  }

  /** Does something in the process, as soon as it can. */
  deliver(run: () => void): void {
    if (this.#isDead) return;
    const restMs = this.#stoppedUntil - this.#world.now();
    if (restMs > 0) this.#world.schedule(restMs, () => this.deliver(run));
    else run();
  }

  stop(forMs: number): void {
    this.#stoppedUntil = Math.max(this.#stoppedUntil, this.#world.now() + forMs);
  }

  /** The machine sleeps: when it wakes, its monotonic clock has stood still. */
  sleep(forMs: number): void {
    if (this.#stoppedUntil > this.#world.now()) return;
    this.stop(forMs);
    this.#world.schedule(forMs, () => {
      this.#sleptMs += forMs;
    });
  }

  die(): void {
    this.#isDead = true;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isStopped(): boolean {
    return this.#stoppedUntil > this.#world.now();
  }
}
