import type { Transport } from "@creditgate/client";
import type { Clock } from "@creditgate/core";

type Named = Pick<Transport, "fingerprint">;

interface Asked {
  readonly name: Promise<string>;
  readonly at: number;
}

/**
 * What a shared ledger calls services: by their organisation, whichever of its keys a process has. By their keys, the old and the
 * new one of a rotation would each be given the whole wallet.
 */
export class OrganizationNames {
  readonly #clock: Clock;
  readonly #asked = new WeakMap<Named, Asked>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Requests that come together ask once, and again `restMs` later. */
  of(client: Named, restMs: number): Promise<string> {
    const now = this.#clock.now();
    const last = this.#asked.get(client);
    if (last !== undefined && now - last.at < restMs) return last.name;
    const name = client.fingerprint("organization");
    this.#asked.set(client, { name, at: now });
    return name;
  }
}
