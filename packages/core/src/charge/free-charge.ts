import type { Usage } from "../values/usage.ts";
import type { Charge } from "./charge.ts";
import { ClientSignal } from "./client-signal.ts";
import type { Departure } from "./left-work.ts";

/** For work that is free: its handler may report as always, and nothing is billed. */
export class FreeCharge extends ClientSignal implements Charge {
  readonly open = false;
  readonly reported: readonly Usage[] = [];

  report(): void {}

  async settle(): Promise<void> {}

  release(): void {}

  beforeBill(): () => void {
    return () => {};
  }

  endCalls(): void {}

  leave(departure?: Departure): void {
    this.fire();
    departure?.end();
  }
}
