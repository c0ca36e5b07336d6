import { CreditWallets, fromDurableObjects, type ObjectNamespace } from "@creditgate/cloudflare";
import type { Gateway } from "./gateway.ts";
import { gatewayOf, type Settings } from "./settings.ts";

interface Environment extends Settings {
  /** The Durable Objects of the wallets. */
  readonly WALLETS: ObjectNamespace<unknown>;
}

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

/** One object for each wallet: what all isolates together spend, it knows; and it delivers the usage. */
export class Wallets extends CreditWallets<Environment> {}

let gateway: Gateway | undefined;

// biome-ignore lint/style/noDefaultExport: Workers are started by it.
export default {
  fetch(request: Request, environment: Environment, context: ExecutionContext): Promise<Response> {
    // One for each isolate.
    gateway ??= gatewayOf(environment, { ledger: fromDurableObjects(environment.WALLETS) }).gateway;
    return gateway(request, (work) => context.waitUntil(work));
  },
};
