import { isCreditgateError } from "@creditgate/client";
import type { OutboxReport } from "./outbox.ts";

/** What names work to the service, beside its customer. */
type Kind = Pick<OutboxReport, "agentId" | "indicator">;

/** After a refusal one piece of work of its kind is let in for each such time: its report tells whether the service knows it by now. */
const retryMs = 60_000;
/** Bounds the memory where the names come from requests. */
const mostKinds = 1_000;

/** Kinds of work whose agent or indicator the service has said it does not know: each piece of them would be free. */
export class UnbillableWork {
  /** When the next piece is let in, by kind. */
  readonly #nextTries = new Map<string, number>();

  /** Whether it is not to be let in now. */
  refuses(kind: Kind, now: number): boolean {
    if (this.#nextTries.size === 0) return false;
    const key = keyOf(kind);
    const nextTry = this.#nextTries.get(key);
    if (nextTry === undefined) return false;
    if (now >= nextTry) this.#nextTries.set(key, now + retryMs);
    return now < nextTry;
  }

  /** The service has taken usage of this kind. */
  taken(kind: Kind): void {
    if (this.#nextTries.size > 0) this.#nextTries.delete(keyOf(kind));
  }

  /** It has refused one as it is. */
  refused(kind: Kind, error: unknown, now: number): void {
    if (!isUnknownKind(error)) return;
    const [oldest] = this.#nextTries.size < mostKinds ? [] : this.#nextTries.keys();
    if (oldest !== undefined) this.#nextTries.delete(oldest);
    this.#nextTries.set(keyOf(kind), now + retryMs);
  }
}

function isUnknownKind(error: unknown): boolean {
  const code = isCreditgateError(error) ? error.problem?.code : undefined;
  return code === "agent_unknown" || code === "indicator_unknown";
}

function keyOf({ agentId, indicator }: Kind): string {
  return JSON.stringify([agentId, indicator]);
}
