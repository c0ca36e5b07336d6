import { emptyRequest, type SharedStore, type SyncRequest, type SyncResponse } from "@creditgate/fleet";
/** A sync that says this, and otherwise nothing. */
export function requestOf(id: string, seq: number, fields: Partial<SyncRequest> = {}): SyncRequest {
  return {
    ...emptyRequest,
    id,
    seq,
    terms: {
      leaseMs: 300,
      lagMs: 1_000,
      maxStaleMs: 60_000,
      minRefreshMs: 0,
      requestMs: 1_000,
      windowMs: 100,
    },
    ...fields,
  };
}

/** The answer to the sync; while the store asks for it, said again with its epoch and its time, as a process does. */
export async function sync(store: SharedStore, account: string, request: SyncRequest): Promise<SyncResponse> {
  let answer = await store.exchange(account, request);
  // More than once where the lease is over before the store has come to it.
  while (answer.status === "register") {
    const { epoch, now: at } = answer;
    answer = await store.exchange(account, { ...request, epoch, at, register: true });
  }
  return answer;
}
