import { z } from "zod";
import { type Data, identifier, line } from "./fields.ts";

/** Sums of what a thousand gates say stay exact in the service's store. */
const most = 1e15;
const count = z.int().nonnegative().max(most);
const credits = z.number().nonnegative().max(most);
const instant = z.iso.datetime({ offset: true });
const reportId = line(1, 255);

/** Parses a report that waits for an operator. */
export const waitingReport = z.object({
  /** Its `Idempotency-Key`. */
  id: reportId,
  /** `parked`: it may have been processed. `dead`: the service refused it as it is. */
  state: z.enum(["parked", "dead"]),
  customerId: identifier,
  agentId: identifier,
  indicator: identifier,
  /** What the gate keeps for it, in credits. */
  credits,
  /** Why it waits, at most 2000 bytes. */
  reason: line(0, 2_000),
  /** Since when, as an instant of ISO 8601. */
  since: instant,
});

/** A report that waits for an operator. */
export type WaitingReport = Data<typeof waitingReport>;

/** Parses what a gate says of itself. */
export const heartbeatRequest = z.object({
  /** Of this gate, as long as its process lives: a UUID. */
  gateId: z.uuid(),
  /** What its operators call it; gates of one name stand together. */
  name: line(1, 100),
  /** What it runs in, such as `Express` or `Next.js`; may be empty. */
  platform: line(0, 100),
  /** Of `@creditgate/core`. */
  version: line(1, 50),
  startedAt: instant,
  /** How often it speaks, in milliseconds. */
  everyMs: z.int().min(1_000).max(3_600_000),
  /** Decisions since its start. Totals: what is said again counts once. */
  allowed: count,
  /** Denials since its start, by their codes. */
  denied: z
    .record(z.string().regex(/^[a-z_]{1,50}$/), count)
    .refine((denied) => Object.keys(denied).length <= 50, "expected at most 50 codes"),
  /** Pieces of work that have not ended. */
  open: count,
  /** Credits held for them. */
  held: credits,
  /** Reports to be delivered. */
  queued: count,
  parked: count,
  dead: count,
  /** Acknowledged reports that the balance did not show in time, since its start. */
  late: count,
  /** Parked and dead reports, at most 100 of them. */
  waiting: z.array(waitingReport).max(100),
  /** Of the reports that it was asked to send again, those that it has. */
  retried: z.array(reportId).max(100),
});

/** What a gate says of itself. Not in the API: our addition. */
export type HeartbeatRequest = Data<typeof heartbeatRequest>;

/** Parses what the service wants of the gate. */
export const heartbeatAnswer = z.object({
  /** Reports that an operator wants to be sent again; named until the gate has said that they are. */
  retry: z.array(reportId).max(100),
});

/** What the service wants of the gate. */
export type HeartbeatAnswer = Data<typeof heartbeatAnswer>;
