import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** Whether the client takes what was written within this number of milliseconds, or has left. */
export async function isTaken(
  response: ServerResponse,
  gone: AbortSignal,
  stallMs: number,
): Promise<boolean> {
  const stalled = AbortSignal.timeout(stallMs);
  await once(response, "drain", { signal: AbortSignal.any([gone, stalled]) }).catch(() => undefined);
  return gone.aborted || !stalled.aborted;
}
