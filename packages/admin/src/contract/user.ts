import type { Data } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { organization, service, tagged } from "./define-endpoint.ts";
import { editFields, taggedFields } from "./etag.ts";
import { createdLink } from "./link.ts";
import { partOf, partQuery } from "./part.ts";
import { rolesField } from "./role.ts";

const defineEndpoint = tagged("People");

const memberEditRequest = z.strictObject({ ...editFields, roles: rolesField });

const userEditRequest = z.strictObject({
  ...editFields,
  /** Whether it may do everything, in every organisation. */
  operator: z.boolean().optional(),
  /** Ends its sessions and tokens, and refuses to let anyone sign in by it. */
  disabled: z.boolean().optional(),
});

export const member = record({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  /** When the person joined. */
  createdAt: z.string(),
  /** Whether an operator has shut the account. */
  disabled: z.boolean(),
  ...taggedFields,
});

/** A person in an organisation. */
export type Member = Data<typeof member>;

export const adminUser = record({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  operator: z.boolean(),
  disabled: z.boolean(),
  hasPassword: z.boolean(),
  createdAt: z.string(),
  ...taggedFields,
});

/** A person with an account, as operators see it. */
export type AdminUser = Data<typeof adminUser>;

const memberPath = `${organization}/members/{userId}` as const;
const userPath = `${service}/users/{userId}` as const;

/** The people of an organisation, and what each of them may do. */
export const members = {
  /** All of them, the first to join first. Retried. */
  list: defineEndpoint({
    name: "memberList",
    path: `${organization}/members`,
    kind: "all",
    scope: "owner",
    query: partQuery,
    answer: partOf({ members: z.array(member) }),
    summary: "Lists the members of an organisation",
  }),
  /** Sets the roles of a member; 409 `last_owner` where no owner would stay. Retried. */
  edit: defineEndpoint({
    name: "memberEdit",
    method: "POST",
    path: memberPath,
    idempotent: true,
    scope: "owner",
    body: memberEditRequest,
    answer: member,
    summary: "Changes the roles of a member",
  }),
  /** Removes a member; 409 `last_owner` where no owner would stay. Never retried once sent. */
  remove: defineEndpoint({
    name: "memberRemove",
    method: "POST",
    path: `${memberPath}/remove`,
    scope: "owner",
    answer: member,
    summary: "Removes a member",
  }),
};

/** All accounts of people, for operators. */
export const users = {
  /** All of them, the oldest first. Retried. */
  list: defineEndpoint({
    name: "userList",
    path: `${service}/users`,
    kind: "all",
    scope: "operator",
    query: partQuery,
    answer: partOf({ users: z.array(adminUser) }),
    summary: "Lists people",
  }),
  /** Makes an operator, or shuts an account out; 409 `own_account` for one's own. Retried. */
  edit: defineEndpoint({
    name: "userEdit",
    method: "POST",
    path: userPath,
    idempotent: true,
    scope: "operator",
    body: userEditRequest,
    answer: adminUser,
    summary: "Changes a person",
  }),
  /** A link for a new password: shown this once, and for that person to use. Never retried once sent. */
  link: defineEndpoint({
    name: "userLink",
    method: "POST",
    path: `${userPath}/link`,
    scope: "operator",
    answer: createdLink,
    summary: "Makes a one-time link for a person",
    statuses: [201],
  }),
};
