import { oneLine } from "@creditgate/client";
import { troubleOf } from "#operator-messages";
import type { Clock } from "../values/clock.ts";
import type { GateEventMap } from "./events.ts";
import type { Trouble } from "./operator-messages/operator-messages.ts";

/** Takes the lines that an operator must read; `console` is one. */
export interface Logger {
  error(message: string): void;
}

const hourMs = 3_600_000;
/** More kinds than there are: bounds the memory, whatever a service answers. */
const mostKinds = 100;
const mostCharacters = 800;

/** Logs problems that no listener handles, in one line, once for each kind and hour. */
export class OperatorLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #loggedAt = new Map<string, number>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  log<Name extends keyof GateEventMap>(name: Name, event: GateEventMap[Name]): void {
    const trouble = troubleOf(name, event);
    if (trouble === undefined || !this.#isNew(trouble)) return;
    try {
      this.#logger.error(oneLine(`creditgate: ${trouble.line}`, mostCharacters));
    } catch {
      // The work of the gate must go on.
    }
  }

  #isNew({ kind }: Trouble): boolean {
    if (kind === undefined) return true;
    const now = this.#clock.now();
    const before = this.#loggedAt.get(kind);
    if (before !== undefined && now - before < hourMs) return false;
    if (this.#loggedAt.size >= mostKinds) this.#loggedAt.clear();
    this.#loggedAt.set(kind, now);
    return true;
  }
}
