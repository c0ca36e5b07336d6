import { type CreditgateError, isCreditgateError } from "@creditgate/client";

/** What the answers of a service have taught all gates on it and on one API key. */
export class KnownService {
  /** Tells the service, and the API key, apart from others. */
  readonly fingerprint: string;
  /** It names what is wrong: one of its problems had a `code`. */
  namesProblems = false;
  #honoursKeys = false;
  readonly #listeners = new Set<() => void>();

  constructor(fingerprint: string) {
    this.fingerprint = fingerprint;
  }

  /** It has echoed a key. */
  get honoursKeys(): boolean {
    return this.#honoursKeys;
  }

  learnKeys(): void {
    if (this.#honoursKeys) return;
    this.#honoursKeys = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Calls the listener once, as soon as the service has echoed a key; the returned function ends that. */
  onKeys(listener: () => void): () => void {
    if (this.#honoursKeys) listener();
    else this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/**
 * Whether the service itself has refused the request as it is. It says so in a JSON object, and a service that is known to
 * be Creditgate's gives a `code`; without one it is a proxy or a gateway before it, in the midst of a deploy.
 */
export function isVerdict({ problem }: CreditgateError, service: KnownService): boolean {
  if (problem === undefined) return false;
  // A control plane that is asked at a path which is not its own: the base URL is wrong.
  if (problem.code === "route_unknown") return false;
  return hasCode(problem.code) || !(service.honoursKeys || service.namesProblems);
}

/** Remembers what the error says about the service. */
export function learnFrom(error: unknown, service: KnownService): void {
  if (isCreditgateError(error) && hasCode(error.problem?.code)) service.namesProblems = true;
}

/** Whether the service itself has said that it does not know the customer, agent or indicator. */
export function isNotFound(error: unknown, service: KnownService): boolean {
  return isCreditgateError(error) && error.status === 404 && isVerdict(error, service);
}

function hasCode(code: unknown): boolean {
  return typeof code === "string" && code !== "";
}
