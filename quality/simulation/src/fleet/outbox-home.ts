import type { MemoryOutboxStore } from "@creditgate/conformance";

/** Where an outbox is kept, over the lives of its process. */
export interface OutboxHome {
  readonly store: MemoryOutboxStore;
  /** `undefined`: another process takes over what is left, when this one has been silent for {@link outboxAbandonMs}. */
  readonly name: string | undefined;
  /** Whether it is reached by the network. */
  readonly isShared: boolean;
}

/** Longer than any process stops: only one that is dead is taken over. */
export const outboxAbandonMs = 25_000;
