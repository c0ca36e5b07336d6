import { emptyRequest, type SharedStore, type SyncRequest, type SyncResponse } from "@creditgate/fleet";
/** A sync that says this, and otherwise nothing. */
export function requestOf(id: string, seq: number, fields: Partial<SyncRequest> = {}): SyncRequest {
  const { base = 0, keep = base } = fields;
  return {
    ...emptyRequest,
    id,
    seq,
    base,
    keep,
    claim: keep,
    terms: {
      leaseMs: 5_000,
      lagMs: 10_000,
      maxStaleMs: 60_000,
      minRefreshMs: 0,
      requestMs: 5_000,
      windowMs: 100,
    },
    ...fields,
  };
}

/** The answer to the sync; where the store asks for it, said again with its epoch and its time, as a process does. */
export async function sync(store: SharedStore, account: string, request: SyncRequest): Promise<SyncResponse> {
  const answer = await store.exchange(account, request);
  if (answer.status !== "register") return answer;
  const { epoch, now: at } = answer;
  return store.exchange(account, { ...request, epoch, at, register: true });
}
