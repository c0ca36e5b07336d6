import { z } from "zod";
import { type WaitingReport, waitingReport } from "../../contract/heartbeat.ts";
import { ordinal } from "../../contract/list.ts";
import { line } from "../../contract/text.ts";
import type { LedgerKind } from "../../gate-identity.ts";

/** A gate that says of itself how it is, as it last did. */
export interface AdminGate {
  readonly gateId: string;
  readonly name: string;
  readonly platform: string;
  readonly version: string;
  readonly startedAt: string;
  readonly heardAt: string;
  readonly everyMs: number;
  /** Pieces of work that have not ended, and the credits held for them. */
  readonly open: number;
  readonly held: number;
  /** Reports in its outbox. */
  readonly queued: number;
  readonly parked: number;
  readonly dead: number;
  /** Acknowledged reports that the balance did not show in time, since its start. */
  readonly late: number;
}

/** How the gates of one name have decided, in one way. */
export interface GateDecisions {
  readonly name: string;
  /** The code of the denials; `null` for what was let in. */
  readonly code: string | null;
  readonly decisions: number;
}

/** A report that waits for an operator, and the gate that has it. */
export interface AdminWaitingReport extends WaitingReport {
  readonly gateId: string;
  readonly name: string;
  /** Whether it has been asked to be sent again, and the gate has not done it yet. */
  readonly retrying: boolean;
}

/** A ledger that spends the same wallets as another one, with which it shares nothing. */
export interface AdminSeparateLedger {
  readonly ledger: LedgerKind;
  /** Of the process whose memory it is in, as its log names it; `null` if processes share it, or isolates each have a guard. */
  readonly processId: string | null;
  /** The first and the last usage of these wallets, of the last hour. */
  readonly since: string;
  readonly lastAt: string;
}

/** Ledgers that can overspend a wallet together. */
export interface AdminSeparateLedgers {
  /** At least two, or none. */
  readonly ledgers: readonly AdminSeparateLedger[];
  /** Wallets that they spend, at most 10 of them. */
  readonly wallets: readonly { readonly customerId: string; readonly currency: string }[];
  /** Whether isolates spend wallets, each within its guard. */
  readonly guarded: boolean;
}

/** What gates have said. */
export interface GatesQuery {
  /** Decisions of this number of minutes, the last ones, in steps of five, up to a day. @default 60 */
  readonly minutes?: number | undefined;
}

/** Those of which something was heard within the last hour, by name. */
export interface GatesAnswer {
  readonly gates: readonly AdminGate[];
  readonly decisions: readonly GateDecisions[];
  /** The dead ones first, then the parked, each the oldest first; at most 100. */
  readonly reports: readonly AdminWaitingReport[];
  /** Of gates with heartbeats and without. */
  readonly separateLedgers: AdminSeparateLedgers;
}

/** Reports to be sent again: of this gate, parked or dead. */
export interface GateRetryRequest {
  /** 1 to 100. */
  readonly reportIds: readonly string[];
}

export interface GateRetryAnswer {
  /** Those that the gate will be asked to send, with its next heartbeat. */
  readonly asked: readonly string[];
}

const count = z.int().nonnegative();

const gate: z.ZodType<AdminGate> = z.object({
  gateId: z.string(),
  name: z.string(),
  platform: z.string(),
  version: z.string(),
  startedAt: z.string(),
  heardAt: z.string(),
  everyMs: z.number(),
  open: count,
  held: z.number(),
  queued: count,
  parked: count,
  dead: count,
  late: count,
});

export const gatesQuery: z.ZodType<GatesQuery> = z.strictObject({
  minutes: ordinal
    .refine(
      (minutes) => minutes >= 5 && minutes <= 1_440,
      "Invalid input: expected a whole number from 5 to 1440",
    )
    .optional(),
});

const reportOfGate = z.object({ gateId: z.string(), name: z.string(), retrying: z.boolean() });

const separateLedger: z.ZodType<AdminSeparateLedger> = z.object({
  ledger: z.enum(["memory", "shared", "guard"]),
  processId: z.string().nullable(),
  since: z.string(),
  lastAt: z.string(),
});

export const gatesAnswer: z.ZodType<GatesAnswer> = z.object({
  gates: z.array(gate),
  decisions: z.array(z.object({ name: z.string(), code: z.string().nullable(), decisions: count })),
  reports: z.array(waitingReport.and(reportOfGate)),
  separateLedgers: z.object({
    ledgers: z.array(separateLedger),
    wallets: z.array(z.object({ customerId: z.string(), currency: z.string() })),
    guarded: z.boolean(),
  }),
});

export const gateRetryRequest: z.ZodType<GateRetryRequest> = z.object({
  reportIds: z.array(line(1, 255)).min(1).max(100),
});

export const gateRetryAnswer: z.ZodType<GateRetryAnswer> = z.object({ asked: z.array(z.string()) });
