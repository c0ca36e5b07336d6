import type { Word } from "./shared-store.ts";

/** What a word says that says nothing: of a process that has no credits and asks for none. */
export const emptyWord: Omit<Word, "id" | "seq" | "terms"> = {
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
