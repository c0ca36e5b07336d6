import { type MemberRole, memberRoles } from "@creditgate/client/admin";
import type { Served } from "../http/endpoint-routes.ts";
import type { Visitor } from "../people/visitor.ts";

/**
 * What a request to the admin API takes: a role in the organisation that it names, or else
 * - `operator`: one who may do everything in every organisation, as an admin token does;
 * - `user`: anyone who has signed in, also by a token;
 * - `session`: a person who has signed in, and no token;
 * - `anyone`: nothing.
 */
export type AdminScope = MemberRole | "operator" | "user" | "session" | "anyone";

/** An entry of the table of the admin API. */
export interface AdminServed extends Served {
  readonly scope: AdminScope;
  /** Whether it is sent while it is read, for as long as its reader takes. @default false */
  readonly isFile?: boolean;
  /** Whether its handler bounds what strangers ask of all addresses together. @default false */
  readonly countsAttempts?: boolean;
}

/** Who may do what takes a role. */
export const allowedRoles: Readonly<Record<MemberRole, readonly MemberRole[]>> = {
  read: ["read", "money", "keys", "owner"],
  money: ["money", "owner"],
  keys: ["keys", "owner"],
  owner: ["owner"],
};

/** Whether a scope is a role, and so takes an organisation. */
export function isRole(scope: AdminScope): scope is MemberRole {
  return memberRoles.some((role) => role === scope);
}

/** Whether one may do what takes a role, in the organisation that the request names. */
export function may({ isOperator, roles }: Pick<Visitor, "isOperator" | "roles">, role: MemberRole): boolean {
  return isOperator || roles.some((own) => allowedRoles[role].includes(own));
}
