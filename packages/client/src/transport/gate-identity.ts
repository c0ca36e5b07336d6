import type { Incoming } from "../exchange/exchange.ts";

/** Names the process that asks and its ledger. A service that does not know the header ignores it. */
export const gateHeader = "creditgate-gate";

/**
 * Where a process keeps what it holds of a wallet: in its own `memory`, in a store that it shares with others, or in its own memory
 * as one of many isolates, of which a `guard` bounds what each may spend.
 */
export type LedgerKind = "memory" | "shared" | "guard";

/** A process that spends wallets. */
export interface GateIdentity {
  /** A random UUID, another one in each process. */
  readonly id: string;
  readonly ledger: LedgerKind;
}

export function formatGateIdentity({ id, ledger }: GateIdentity): string {
  return `${id}; ledger=${ledger}`;
}

const grammar = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}); ledger=(memory|shared|guard)$/;

/** Parses the header `Creditgate-Gate`; `undefined` if it is malformed, since any client may send it. */
export function parseGateIdentity(header: unknown): GateIdentity | undefined {
  const [, id, ledger] = (typeof header === "string" && grammar.exec(header)) || [];
  return id === undefined ? undefined : { id, ledger: ledger as LedgerKind };
}

/**
 * How many ledgers spend the same wallets and do not share their holds, so that they can overspend; `guarded`: isolates do, each
 * within its guard. `undefined` if the service reports neither.
 */
export type SeparateLedgers = number | "guarded";

export const separateLedgersHeader = "creditgate-separate-ledgers";

export function readSeparateLedgers(answer: Incoming): SeparateLedgers | undefined {
  const value = answer.header(separateLedgersHeader);
  if (value === undefined || value === "guarded") return value;
  return /^[1-9]\d{0,5}$/.test(value) ? Number(value) : undefined;
}
