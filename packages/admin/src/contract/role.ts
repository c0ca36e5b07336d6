import { z } from "zod";

/**
 * What a member may do in an organisation. Each lets read everything; `money` changes what costs and pays, `keys` API keys
 * and webhooks, `owner` all of it, the members too.
 */
export type MemberRole = "read" | "money" | "keys" | "owner";

/** The roles that a member may have. */
export const memberRoles: readonly [MemberRole, ...MemberRole[]] = ["read", "money", "keys", "owner"];

/** The fields of a request that sets roles. */
export const rolesField = z
  .array(z.enum(memberRoles))
  .min(1)
  .max(memberRoles.length)
  .refine((roles) => new Set(roles).size === roles.length, "Invalid input: expected each role once");
