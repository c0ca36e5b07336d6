import { creditgateSide, type Side } from "./side.ts";
import type { Stage } from "./stage.ts";
import { Visitor } from "./visitor.ts";

/** The customers of one side. */
export interface Cast {
  readonly side: Side;
  /** Whether it is the side of Creditgate, which must do nothing wrong. */
  readonly isOurs: boolean;
  readonly alice: Visitor;
  readonly bob: Visitor;
  readonly team: Visitor;
  readonly erin: Visitor;
  readonly dora: Visitor;
  readonly visitors: readonly Visitor[];
}

/** The same customers with the same wallets, for each side. */
export function castOf(side: Side, { chats, client }: Stage, signal: AbortSignal): Cast {
  const chatUrl = chats.get(side)?.url ?? "";
  const visitor = (id: string, kind: "prepaid" | "postpaid" = "prepaid") =>
    new Visitor({ id, customerId: `${id}${side.suffix}`, kind, chatUrl, client, signal });
  const roles = {
    alice: visitor("alice"),
    bob: visitor("bob", "postpaid"),
    team: visitor("team"),
    erin: visitor("erin"),
    dora: visitor("dora"),
  };
  return { side, isOurs: side === creditgateSide, ...roles, visitors: Object.values(roles) };
}
