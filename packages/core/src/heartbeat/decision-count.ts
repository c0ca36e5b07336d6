import type { DenialCode } from "../denial/denial-code.ts";
import { asObserver } from "../events/events.ts";
import type { Gate } from "../gate.ts";

/** How a gate has decided since it was asked to be counted. */
export class DecisionCount {
  allowed = 0;
  readonly denied: Partial<Record<DenialCode, number>> = {};
  /** Acknowledged reports that the balance did not show in time. */
  late = 0;
  readonly #ends: readonly (() => void)[];

  constructor(gate: Pick<Gate, "on">) {
    this.#ends = [
      gate.on(
        "decision",
        asObserver(({ code }) => {
          if (code === undefined) this.allowed++;
          else this.denied[code] = (this.denied[code] ?? 0) + 1;
        }),
      ),
      gate.on(
        "lag",
        asObserver(() => {
          this.late++;
        }),
      ),
    ];
  }

  end(): void {
    for (const end of this.#ends) end();
  }
}
