import type { Clock } from "../time/clock.ts";
import type { Claimed } from "./claim.ts";
import type { Outcome } from "./outcome.ts";
import type { Post, Reply } from "./post.ts";
import { retryDelay } from "./schedule.ts";
import { signedHeaders } from "./secrets.ts";

export interface AttemptOptions {
  readonly post: Post;
  readonly clock: Clock;
  readonly elapsed: Clock;
  readonly random: () => number;
  /** Cuts it off. */
  readonly signal: AbortSignal;
}

/** Sends an event once; resolves what has come of it, `undefined` where it was cut off. */
export async function attempt(claimed: Claimed, options: AttemptOptions): Promise<Outcome | undefined> {
  const { post, clock, elapsed, random, signal } = options;
  const startedAt = clock.now();
  const start = elapsed.now();
  const reply = await send(post, claimed, new Date(startedAt), signal);
  if (signal.aborted && reply.status === undefined) return undefined;
  const now = clock.now();
  const seen = {
    at: new Date(startedAt),
    durationMs: Math.round(elapsed.now() - start),
    responseStatus: reply.status,
    response: reply.status === undefined ? undefined : excerpt(reply.body),
  };
  const error = errorOf(reply);
  if (error === undefined) return { ...seen, status: "delivered", error, dueAt: new Date(now) };
  const failed = {
    attempts: claimed.attempts + 1,
    ageMs: now - claimed.createdAt.getTime(),
    retryAfterMs: retryAfterMs(reply, now),
  };
  const delayMs = retryDelay(failed, random);
  const status = delayMs === undefined ? "given_up" : "pending";
  return { ...seen, status, error, dueAt: new Date(now + (delayMs ?? 0)) };
}

/** What cannot be signed, as with a secret that was edited by hand, is a failure like any other. */
async function send(
  post: Post,
  { url, eventId, body, secrets }: Claimed,
  at: Date,
  signal: AbortSignal,
): Promise<Reply> {
  try {
    return await post({ url, headers: signedHeaders(eventId, body, secrets, at), body }, signal);
  } catch (error) {
    return { status: undefined, error: error instanceof Error ? error.message : String(error) };
  }
}

function errorOf(reply: Reply): string | undefined {
  if (reply.status === undefined) return reply.error;
  if (reply.status >= 200 && reply.status < 300) return undefined;
  const redirect = reply.status >= 300 && reply.status < 400 ? ": redirects are not followed" : "";
  return `expected a status of 200 to 299, received ${reply.status}${redirect}`;
}

function retryAfterMs(reply: Reply, now: number): number | undefined {
  if (reply.status !== 429 && reply.status !== 503) return undefined;
  const text = reply.headers["retry-after"] ?? "";
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return ms > 0 ? ms : undefined;
}

const longestExcerpt = 1_000;

/** What PostgreSQL and a terminal take. */
function excerpt(body: string): string {
  return body.slice(0, longestExcerpt).replaceAll(/\p{Cc}|\p{Cs}/gu, " ");
}
