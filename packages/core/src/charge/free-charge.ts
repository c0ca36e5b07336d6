import type { Usage } from "../values/usage.ts";
import type { Disconnect } from "./abandoned-work.ts";
import type { Charge } from "./charge.ts";
import { ClientSignal } from "./client-signal.ts";
import type { Extension } from "./extension.ts";

/** For work that is free: its handler may report as always, and nothing is billed. */
export class FreeCharge extends ClientSignal implements Charge {
  readonly open = false;
  readonly reported: readonly Usage[] = [];
  readonly held = 0;

  async extend(): Promise<Extension> {
    return { allowed: true };
  }

  report(): void {}

  async settle(): Promise<void> {}

  release(): void {}

  beforeBill(): () => void {
    return () => {};
  }

  endCalls(): void {}

  disconnect(disconnect?: Disconnect): void {
    this.fire();
    disconnect?.end();
  }
}
