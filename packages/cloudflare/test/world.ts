import type { WalletStatus } from "@creditgate/cloudflare";
import type { HoldAmount } from "@creditgate/core";
import type { Miniflare } from "miniflare";
import { vi } from "vitest";
import { StandInService } from "./service.ts";
import { bundleWorker, startWorkerd, workerOptions } from "./workerd.ts";

/** How a {@link World} is made. */
export interface WorldOptions {
  /** Isolates that share the wallets. @default 1 */
  readonly isolates?: number;
  /** Options of their gates. */
  readonly gate?: Readonly<Record<string, unknown>>;
  readonly abandonMs?: number;
  /** A folder, where the storage of the objects outlasts workerd. */
  readonly persistIn?: string;
}

const patience = { timeout: 30_000, interval: 10 };

/** workerd with isolates whose gates share wallets in Durable Objects, and a stand-in for the service. */
export class World {
  readonly service = new StandInService();
  readonly #options: WorldOptions;
  #baseUrl = "";
  #workerd: Miniflare | undefined;

  constructor(options: WorldOptions = {}) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#baseUrl = await this.service.start();
    await this.startWorkerd();
  }

  async startWorkerd(): Promise<void> {
    const { isolates = 1, gate = {}, abandonMs = 60_000, persistIn } = this.#options;
    const code = await bundleWorker("wallets.ts");
    const workers = Array.from({ length: isolates }, (_, at) => ({
      ...workerOptions(nameOf(at), code),
      durableObjects: {
        WALLETS: { className: "Wallets", useSQLite: true, ...(at > 0 && { scriptName: nameOf(0) }) },
      },
      bindings: {
        CREDITGATE_BASE_URL: this.#baseUrl,
        CREDITGATE_API_KEY: "cg_test_local",
        GATE: JSON.stringify({ minRefreshMs: 10, ...gate }),
        ABANDON_MS: String(abandonMs),
      },
    }));
    this.#workerd = startWorkerd(workers, persistIn);
    await this.#workerd.ready;
  }

  /** As by a crash: what is not stored is gone. */
  async stopWorkerd(): Promise<void> {
    await this.#workerd?.dispose();
  }

  async stop(): Promise<void> {
    await this.stopWorkerd();
    await this.service.stop();
  }

  /** "admitted", or why not. */
  async begin(
    name: string,
    customerId: string,
    hold: HoldAmount,
    budgets: readonly string[] = [],
  ): Promise<string> {
    return String(await this.#call(0, { method: "begin", values: [name, customerId, hold, budgets] }));
  }

  /** The denial of the last work that was not let in. */
  async denial(): Promise<object> {
    return (await this.#call(0, { method: "lastDenial", values: [] })) as object;
  }

  /** The budget of a run: `begin` finds it by this name. */
  async createRun(name: string, limit: number): Promise<void> {
    await this.#call(0, { method: "createRun", values: [name, limit] });
  }

  async run(name: string): Promise<object> {
    return (await this.#call(0, { method: "run", values: [name] })) as object;
  }

  /** Bills so many tokens, and goes on with another hold: answers whether it may. */
  async pause(name: string, tokens: number, need: number): Promise<boolean> {
    return (await this.#call(0, { method: "pause", values: [name, tokens, need] })) as boolean;
  }

  async end(name: string, tokens: number): Promise<void> {
    await this.#call(0, { method: "end", values: [name, tokens] });
  }

  async release(name: string): Promise<void> {
    await this.#call(0, { method: "release", values: [name] });
  }

  /** A request that goes on until `finish`. */
  async stay(name: string, customerId: string, hold: number): Promise<string> {
    return String(await this.#call(0, { method: "stay", values: [name, customerId, hold] }));
  }

  async finish(name: string): Promise<void> {
    await this.#call(0, { method: "finish", values: [name] });
  }

  async many(
    isolate: number,
    count: number,
    customerId: string,
    hold: number,
    budgets: readonly string[] = [],
  ): Promise<Record<string, number>> {
    const values = [count, customerId, hold, budgets];
    return (await this.#call(isolate, { method: "many", values })) as Record<string, number>;
  }

  /** Calls the object of this customer's wallet. */
  async object(customerId: string, method: string, ...values: readonly unknown[]): Promise<unknown> {
    return this.#call(0, { object: JSON.stringify([customerId, "ai_credits"]), method, values });
  }

  async status(customerId: string): Promise<WalletStatus> {
    return (await this.object(customerId, "status")) as WalletStatus;
  }

  /** The object's memory is gone; the next call finds it as it is stored. */
  async evict(customerId: string): Promise<void> {
    await this.object(customerId, "evict").catch(() => {});
  }

  /** Resolves when the object's wallet looks like this. */
  async until(customerId: string, isSo: (status: WalletStatus) => boolean): Promise<WalletStatus> {
    return vi.waitUntil(async () => {
      const status = await this.status(customerId);
      return isSo(status) && status;
    }, patience) as Promise<WalletStatus>;
  }

  async #call(isolate: number, body: object): Promise<unknown> {
    if (this.#workerd === undefined) throw new Error("workerd has not been started");
    // Its types are those of a package that we do without.
    const worker = (await this.#workerd.getWorker(nameOf(isolate))) as unknown as {
      fetch(url: string, init: RequestInit): Promise<Response>;
    };
    const response = await worker.fetch("http://wallets.example", {
      method: "POST",
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { readonly returned?: unknown; readonly stack?: string };
    if (!response.ok) throw new Error(answer.stack);
    return answer.returned;
  }
}

function nameOf(isolate: number): string {
  return `isolate-${isolate}`;
}
