import { z } from "zod";
import { identifier, line } from "./text.ts";

/** A report that waits for an operator. */
export interface WaitingReport {
  /** Its `Idempotency-Key`. */
  readonly id: string;
  /** `parked`: it may have been processed. `dead`: the service refused it as it is. */
  readonly state: "parked" | "dead";
  readonly customerId: string;
  readonly agentId: string;
  readonly indicator: string;
  /** What the gate keeps for it, in credits. */
  readonly credits: number;
  /** Why it waits, at most 2000 bytes. */
  readonly reason: string;
  /** Since when, as an instant of ISO 8601. */
  readonly since: string;
}

/** What a gate says of itself. Not in the API: our addition. */
export interface HeartbeatRequest {
  /** Of this gate, as long as its process lives: a UUID. */
  readonly gateId: string;
  /** What its operators call it; gates of one name stand together. */
  readonly name: string;
  /** What it runs in, such as `Express` or `Next.js`; may be empty. */
  readonly platform: string;
  /** Of `@creditgate/core`. */
  readonly version: string;
  readonly startedAt: string;
  /** How often it speaks, in milliseconds. */
  readonly everyMs: number;
  /** Decisions since its start. Totals: what is said again counts once. */
  readonly allowed: number;
  /** Denials since its start, by their codes. */
  readonly denied: Readonly<Record<string, number>>;
  /** Pieces of work that have not ended. */
  readonly open: number;
  /** Credits held for them. */
  readonly held: number;
  /** Reports to be delivered. */
  readonly queued: number;
  readonly parked: number;
  readonly dead: number;
  /** Acknowledged reports that the balance did not show in time, since its start. */
  readonly late: number;
  /** Parked and dead reports, at most 100 of them. */
  readonly waiting: readonly WaitingReport[];
  /** Of the reports that it was asked to send again, those that it has. */
  readonly retried: readonly string[];
}

/** What the service wants of the gate. */
export interface HeartbeatAnswer {
  /** Reports that an operator wants to be sent again; named until the gate has said that they are. */
  readonly retry: readonly string[];
}

/** Sums of what a thousand gates say stay exact in the service's store. */
const most = 1e15;
const count = z.int().nonnegative().max(most);
const credits = z.number().nonnegative().max(most);
const instant = z.iso.datetime({ offset: true });
const reportId = line(1, 255);

const waitingFields = {
  id: reportId,
  state: z.enum(["parked", "dead"]),
  customerId: identifier,
  agentId: identifier,
  indicator: identifier,
  credits,
  reason: line(0, 2_000),
  since: instant,
};

/** Parses a report that waits for an operator. */
export const waitingReport: z.ZodType<WaitingReport> = z.object(waitingFields);

/** Parses what a gate says of itself. */
export const heartbeatRequest: z.ZodType<HeartbeatRequest> = z.object({
  gateId: z.uuid(),
  name: line(1, 100),
  platform: line(0, 100),
  version: line(1, 50),
  startedAt: instant,
  everyMs: z.int().min(1_000).max(3_600_000),
  allowed: count,
  denied: z
    .record(z.string().regex(/^[a-z_]{1,50}$/), count)
    .refine((denied) => Object.keys(denied).length <= 50, "expected at most 50 codes"),
  open: count,
  held: credits,
  queued: count,
  parked: count,
  dead: count,
  late: count,
  waiting: z.array(waitingReport).max(100),
  retried: z.array(reportId).max(100),
});

/** Parses what the service wants of the gate. */
export const heartbeatAnswer: z.ZodType<HeartbeatAnswer> = z.object({ retry: z.array(reportId).max(100) });
