import { type CreditsSnapshot, lessCredits, parseSnapshot } from "./credits-snapshot.ts";
import { type CreditsState, type CreditsView, viewOf } from "./credits-view.ts";
import { type Denial, isOfBudget, readDenial } from "./denial.ts";
import { LiveSession, type Reading } from "./live-session.ts";

export interface CreditsStoreOptions {
  readonly url: string;
  readonly initial: CreditsSnapshot | undefined;
  readonly fetch: typeof globalThis.fetch | undefined;
}

/** The wallet of the signed-in customer, as the page knows it. */
export class CreditsStore {
  /** As the server has rendered it. */
  readonly first: CreditsView;
  #view: CreditsView;
  #snapshot: CreditsSnapshot | undefined;
  #session: LiveSession | undefined;
  /** Requests so far, and how many there were when the denial came: an older balance says nothing of it. */
  #readings = 0;
  #deniedAt = 0;
  readonly #url: string;
  readonly #send: typeof globalThis.fetch;
  readonly #listeners = new Set<() => void>();

  constructor({ url, initial, fetch }: CreditsStoreOptions) {
    this.#url = url;
    this.#snapshot = initial;
    // Looked up with each request: applications replace it.
    this.#send = fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.first = viewOf(stateOf(initial), initial, undefined);
    this.#view = this.first;
  }

  readonly view = (): CreditsView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Keeps the figures up to date until the returned function is called, after which it can be started again. */
  start(): () => void {
    const session = new LiveSession(this.#url, (signal) => this.#read(signal));
    this.#session = session;
    if (this.#snapshot === undefined || isInFlight(this.#snapshot)) session.begin();
    return () => {
      session.end();
      if (this.#session === session) this.#session = undefined;
    };
  }

  readonly invalidate = async (): Promise<void> => {
    await this.#session?.changed();
  };

  readonly setDenial = (denial: Denial | undefined): void => {
    if (denial === this.#view.denial) return;
    this.#deniedAt = this.#readings;
    this.#show({ ...this.#view, denial });
  };

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await this.#send(input, init).catch((error) => {
      void this.invalidate();
      throw error;
    });
    if (response.status === 402) {
      const denial = await readDenial(response.clone());
      if (denial !== undefined) this.setDenial(denial);
      void this.invalidate();
      return response;
    }
    if (response.ok) this.setDenial(undefined);
    return watchedResponse(response, () => void this.invalidate());
  };

  async #read(signal: AbortSignal): Promise<Reading> {
    const reading = ++this.#readings;
    const init = { headers: { accept: "application/json" }, cache: "no-store", signal } as const;
    try {
      const response = await this.#send(this.#url, init);
      if (response.status === 401) return this.#take(signal, reading, "signed_out");
      const snapshot = response.ok ? parseSnapshot(await response.json()) : undefined;
      return this.#take(signal, reading, snapshot);
    } catch {
      return this.#take(signal, reading, undefined);
    }
  }

  #take(signal: AbortSignal, reading: number, read: CreditsSnapshot | "signed_out" | undefined): Reading {
    // Unmounted meanwhile; one that took too long has failed.
    if (this.#session === undefined || (signal.aborted && signal.reason === LiveSession.over))
      return "settled";
    if (read === undefined) {
      this.#show({ ...this.#view, state: this.#snapshot === undefined ? "unavailable" : "stale" });
      return "failed";
    }
    this.#snapshot = read === "signed_out" ? undefined : read;
    const state = read === "signed_out" ? read : stateOf(read);
    const next = viewOf(state, this.#snapshot, this.#view.denial);
    this.#show(reading > this.#deniedAt && paysFor(next) ? { ...next, denial: undefined } : next);
    if (state === "stale") return "failed";
    return isInFlight(this.#snapshot) ? "in_flight" : "settled";
  }

  #show(view: CreditsView): void {
    const names = ["state", "balance", "held", "available", "denial"] as const;
    // A balance that has not changed renders nothing.
    const isSame = names.every((name) => view[name] === this.#view[name]);
    const listed = ({ expiring, budgets }: CreditsView) => JSON.stringify([expiring, budgets]);
    if (isSame && listed(view) === listed(this.#view)) return;
    this.#view = view;
    for (const listener of [...this.#listeners]) listener();
  }
}

function stateOf(snapshot: CreditsSnapshot | undefined): CreditsState {
  if (snapshot === undefined) return "loading";
  return snapshot.stale === true ? "stale" : "current";
}

/** Whether the figures change by themselves. */
function isInFlight(snapshot: CreditsSnapshot | undefined): boolean {
  return snapshot !== undefined && snapshot.held > 0;
}

/** Whether the wallet, or the budget that denied it, has enough by now, because it has more. */
function paysFor({ available = 0, budgets, denial }: CreditsView): boolean {
  if (denial === undefined) return false;
  if (isOfBudget(denial)) {
    const { key = "", left = 0 } = denial.budget ?? {};
    const budget = Object.hasOwn(budgets, key) ? budgets[key] : undefined;
    if (budget === undefined) return false;
    const now = lessCredits(lessCredits(budget.limit, budget.used), budget.held);
    return now >= denial.required && now > left;
  }
  return available >= denial.required && available > (denial.available ?? 0);
}

/** The same response; `over` is called once, when its body has been read to its end, has failed or is cancelled. */
export function watchedResponse(response: Response, over: () => void): Response {
  const { body } = response;
  if (body === null) {
    over();
    return response;
  }
  const reader = body.getReader();
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        over();
      },
      cancel(reason) {
        over();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { url, redirected } = response;
  // A response that is made has none of its own.
  return Object.defineProperties(new Response(watched, response), {
    url: { value: url },
    redirected: { value: redirected },
  });
}
