import type { Troubles } from "../../events/operator-messages/operator-messages.ts";

/** What an operator must know of a gate whose process lasts. */
export const outboxTroubles: Troubles = {
  lag: ({ report: { agentId, indicator }, currency, settlementLagMs }) => ({
    kind: "lag",
    line: `usage of indicator "${indicator}", agent "${agentId}", was accepted, and ${settlementLagMs} ms later the balance had not moved. Bill the indicator in CREDITS and in "${currency}", or raise settlementLagMs above what the service takes to debit`,
  }),
  orphan: ({ policy }) =>
    policy === "review"
      ? { kind: "orphan", line: "work that a crash cut off waits for a review: creditgate outbox list" }
      : undefined,
};
