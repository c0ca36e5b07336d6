import type { Data } from "@creditgate/client";
import { line, ordinal, waitingReport } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, tagged } from "./define-endpoint.ts";

const defineEndpoint = tagged("Gates");

const count = z.int().nonnegative();

/** A gate that says of itself how it is, as it last did. */
const gate = z.object({
  gateId: z.string(),
  name: z.string(),
  platform: z.string(),
  version: z.string(),
  startedAt: z.string(),
  heardAt: z.string(),
  everyMs: z.number(),
  /** Pieces of work that have not ended, and the credits held for them. */
  open: count,
  held: z.number(),
  /** Reports in its outbox. */
  queued: count,
  parked: count,
  dead: count,
  /** Acknowledged reports that the balance did not show in time, since its start. */
  late: count,
});

const gatesQuery = z.strictObject({
  /** Decisions of this number of minutes, the last ones, in steps of five, up to a day. @default 60 */
  minutes: ordinal
    .refine(
      (minutes) => minutes >= 5 && minutes <= 1_440,
      "Invalid input: expected a whole number from 5 to 1440",
    )
    .optional(),
});

const reportOfGate = z.object({
  gateId: z.string(),
  name: z.string(),
  /** Whether it has been asked to be sent again, and the gate has not done it yet. */
  retrying: z.boolean(),
});

/** A ledger that spends the same wallets as another one, with which it shares nothing. */
const separateLedger = z.object({
  ledger: z.enum(["memory", "shared", "guard"]),
  /** Of the process whose memory it is in, as its log names it; `null` if processes share it, or isolates each have a guard. */
  processId: z.string().nullable(),
  /** The first and the last usage of these wallets, of the last hour. */
  since: z.string(),
  lastAt: z.string(),
});

const gatesAnswer = z.object({
  gates: z.array(gate),
  decisions: z.array(
    z.object({
      name: z.string(),
      /** The code of the denials; `null` for what was let in. */
      code: z.string().nullable(),
      decisions: count,
    }),
  ),
  /** The dead ones first, then the parked, each the oldest first; at most 100. */
  reports: z.array(waitingReport.and(reportOfGate)),
  /** Of gates with heartbeats and without. */
  separateLedgers: z.object({
    /** At least two, or none. */
    ledgers: z.array(separateLedger),
    /** Wallets that they spend, at most 10 of them. */
    wallets: z.array(z.object({ customerId: z.string(), currency: z.string() })),
    /** Whether isolates spend wallets, each within its guard. */
    guarded: z.boolean(),
  }),
});

const gateRetryRequest = z.strictObject({
  /** 1 to 100. */
  reportIds: z.array(line(1, 255)).min(1).max(100),
});

const gateRetryAnswer = z.object({ asked: z.array(z.string()) });

/** Gates that sent a heartbeat within the last hour, by name. */
export type GatesAnswer = Data<typeof gatesAnswer>;

export type AdminGate = GatesAnswer["gates"][number];

/** How the gates of one name have decided, in one way. */
export type GateDecisions = GatesAnswer["decisions"][number];

/** A report that waits for an operator, and the gate that has it. */
export type AdminWaitingReport = GatesAnswer["reports"][number];

/** Ledgers that can overspend a wallet together. */
export type AdminSeparateLedgers = GatesAnswer["separateLedgers"];

export type AdminSeparateLedger = AdminSeparateLedgers["ledgers"][number];

/** The gates of an organisation that say of themselves how they are (`startHeartbeat` of `@creditgate/core`). */
export const gates = {
  /** How they are, how they have decided, and which of their reports wait for an operator. Retried. */
  list: defineEndpoint({
    name: "gateList",
    path: `${organization}/gates`,
    scope: "read",
    query: gatesQuery,
    answer: gatesAnswer,
    summary: "Lists gates, their decisions, and reports that wait for an operator",
  }),
  retry: defineEndpoint({
    name: "gateRetry",
    method: "POST",
    path: `${organization}/gates/{gateId}/retry`,
    idempotent: true,
    scope: "money",
    body: gateRetryRequest,
    answer: gateRetryAnswer,
    summary: "Asks a gate to send reports again",
  }),
};
