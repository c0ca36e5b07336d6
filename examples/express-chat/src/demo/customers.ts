import type { Setup } from "./setup.ts";
import { creditgateSide, type Side } from "./side.ts";
import { Visitor } from "./visitor.ts";

/** The customers of one side. */
export interface Customers {
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
export function customersOf(side: Side, { chats, client }: Setup, signal: AbortSignal): Customers {
  const chatUrls = chats.get(side)?.urls ?? [];
  const options = (id: string) => ({ id, customerId: `${id}${side.suffix}`, chatUrls, client, signal });
  const visitor = (id: string, kind: "prepaid" | "postpaid" = "prepaid") =>
    new Visitor({ ...options(id), kind });
  const roles = {
    alice: visitor("alice"),
    bob: visitor("bob", "postpaid"),
    team: visitor("team"),
    // Her browser keeps its connection: another process would hear a moment later that she has pressed stop.
    erin: new Visitor({ ...options("erin"), kind: "prepaid", chatUrls: chatUrls.slice(-1) }),
    dora: visitor("dora"),
  };
  return { side, isOurs: side === creditgateSide, ...roles, visitors: Object.values(roles) };
}
