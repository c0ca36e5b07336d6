import { useQuery } from "@tanstack/react-query";
import { accountQuery, mayIn, useOrganizationId } from "../api/account.ts";
import { type Entry, groups } from "../shell/navigation.tsx";

/** What follows `g` on the keyboard, by the last part of a page's address. */
const letters: Readonly<Record<string, string>> = {
  overview: "o",
  customers: "c",
  usage: "u",
  orders: "i",
  books: "b",
  agents: "a",
  gates: "g",
  keys: "k",
  webhooks: "w",
  people: "p",
  audit: "l",
  account: "y",
};

/** A page that one may see. */
export interface JumpPage {
  readonly to: Entry["to"];
  readonly name: string;
  readonly icon: Entry["icon"];
  readonly letter: string | undefined;
}

/** The pages that one may see, as they stand in the navigation. */
export function useJumpPages(): readonly JumpPage[] {
  const organizationId = useOrganizationId();
  const { data: account } = useQuery(accountQuery);
  if (organizationId === "") return [];
  return groups
    .flatMap(({ entries }) => entries)
    .filter(({ role }) => role === undefined || mayIn(account, organizationId, role))
    .map(({ to, name, icon }) => ({ to, name, icon, letter: letters[to.slice(to.lastIndexOf("/") + 1)] }));
}
