import type { Usage } from "@creditgate/core";

/** What an operator decides on a parked or dead report, or on work that a crash cut off. */
export type RowDecision =
  /** The report is sent again. */
  | { readonly as: "retry"; readonly reason?: string | undefined }
  /** The service has it: it counts for the settlement lag and goes. */
  | { readonly as: "delivered"; readonly reason?: string | undefined }
  /** It is never billed: it goes, and counts no more. */
  | { readonly as: "discard"; readonly reason?: string | undefined }
  /** The work is billed this usage. */
  | { readonly as: "bill"; readonly usage: Usage; readonly reason?: string | undefined };

export function packDecision(decision: RowDecision): string {
  return JSON.stringify(decision);
}

/** `undefined` for what none of us has written, or a newer version has. */
export function parseDecision(text: string): RowDecision | undefined {
  try {
    const value = JSON.parse(text) as RowDecision;
    const isKnown = ["retry", "delivered", "discard", "bill"].includes(value.as);
    return isKnown ? value : undefined;
  } catch {
    return undefined;
  }
}
