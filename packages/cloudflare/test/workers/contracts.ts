import { DurableObject } from "cloudflare:workers";
import { testLedger, testOutbox } from "@creditgate/conformance";
import type { Outbox } from "@creditgate/core";
import { createManualClock } from "@creditgate/core/testing";
import type { SyncRequest, SyncResponse } from "@creditgate/fleet";
import { Facts } from "../../src/object/facts.ts";
import { migrate } from "../../src/object/schema.ts";
import type { ObjectStorage } from "../../src/object/storage.ts";
import { StoredAccount } from "../../src/object/stored-account.ts";
import { StoredOutbox } from "../../src/object/stored-outbox.ts";
import { WalletAccount } from "../../src/object/wallet-account.ts";
import { defaultTerms, walletTerms } from "../../src/object/wallet-object.ts";
import { type CalledMethod, callMethod } from "./called-method.ts";

/** Contracts of `@creditgate/conformance`, and the storage of a real object to try them on: an object for each test. */
export class Contracts extends DurableObject {
  /** A sync, to an account that is read from the storage for this sync alone: what is not stored is not there. */
  async exchange(account: string, request: SyncRequest, shiftMs: number): Promise<SyncResponse> {
    const storage = this.#storage;
    const prefix = `a${[...account].map((letter) => letter.charCodeAt(0).toString(16)).join("")}`;
    migrate(storage, prefix);
    const clock = () => Date.now() + shiftMs;
    return new StoredAccount({ storage, prefix, clock, epoch: "one" }).step(request, true);
  }

  async cases(): Promise<readonly string[]> {
    return [...this.#cases().keys()];
  }

  async run(name: string): Promise<void> {
    await this.#cases().get(name)?.();
  }

  get #storage(): ObjectStorage {
    return (this.ctx as { readonly storage: ObjectStorage }).storage;
  }

  #cases(): ReadonlyMap<string, () => Promise<void>> {
    const cases = new Map<string, () => Promise<void>>();
    let suite = "";
    const runner = {
      describe(name: string, body: () => void) {
        suite = name;
        body();
      },
      it(name: string, body: () => Promise<void>) {
        cases.set(`${suite}: ${name}`, body);
      },
    };
    testLedger("the account of an object", () => this.#ledger(), runner, { isShared: true });
    testOutbox(
      "the outbox of an object",
      { create: () => this.#outbox(), durable: true, works: false },
      runner,
    );
    return cases;
  }

  #ledger() {
    const clock = createManualClock({ drain: async () => {} });
    const accounts = new Map<string, WalletAccount>();
    const terms = { ...walletTerms({ ...defaultTerms, settlementLagMs: 1_000 }), windowMs: 1 };
    return {
      ledger: {
        id: "object",
        account: (...names: readonly unknown[]) => {
          const name = JSON.stringify(names);
          const known = accounts.get(name);
          if (known !== undefined) return known;
          migrate(this.#storage, "a");
          // One is the wallet's, the others are those of its budgets.
          const budget = accounts.size === 0 ? "" : `b${accounts.size}`;
          const stored = { storage: this.#storage, prefix: "a", budget, clock: clock.now, epoch: "one" };
          const account = new WalletAccount(new StoredAccount(stored), () => terms);
          accounts.set(name, account);
          return account;
        },
        close() {},
      },
      now: clock.now,
      advance: clock.advance,
    };
  }

  #outbox() {
    const clock = createManualClock({ drain: async () => {} });
    const storage = this.#storage;
    const maxReports = 5;
    migrate(storage, "o");
    const start = (): Outbox =>
      new StoredOutbox({
        storage,
        prefix: "o",
        facts: new Facts(storage, "o"),
        clock: clock.now,
        maxReports,
        keepMs: 0,
      });
    return { outbox: start(), maxReports, crash: start, advance: clock.advance };
  }
}

interface Environment {
  readonly CONTRACTS: { idFromName(name: string): unknown; get(id: unknown): Contracts };
}

// biome-ignore lint/style/noDefaultExport: Workers are started by it.
export default {
  async fetch(request: Request, { CONTRACTS }: Environment): Promise<Response> {
    const { object, ...called }: CalledMethod & { readonly object: string } = await request.json();
    return callMethod(CONTRACTS.get(CONTRACTS.idFromName(object)), called);
  },
};
