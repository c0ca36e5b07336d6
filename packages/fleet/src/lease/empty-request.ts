import type { SyncRequest } from "./shared-store.ts";

/** What a sync says that says nothing: of a process that has no credits and asks for none. */
export const emptyRequest: Omit<SyncRequest, "id" | "seq" | "terms"> = {
  epoch: null,
  at: null,
  register: false,
  kind: "prepaid",
  base: 0,
  keep: 0,
  claim: 0,
  acked: 0,
  queued: 0,
  first: 0,
  need: 0,
  want: 0,
  abandonMs: null,
  recall: false,
};
