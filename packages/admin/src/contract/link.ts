import type { Data } from "@creditgate/client";
import { record } from "@creditgate/client/parts";
import { z } from "zod";
import { adminAccount, email, password, personName } from "./account.ts";
import { organization, service, tagged } from "./define-endpoint.ts";
import { partOf, partQuery } from "./part.ts";
import { rolesField } from "./role.ts";

const defineEndpoint = tagged("People");

const token = z.string().regex(/^[\w-]{20,100}$/, "Invalid input: expected the token of a link");

const linkReadRequest = z.strictObject({ token });

const linkUseRequest = z.strictObject({
  token,
  /** Of the first owner. */
  email: email.optional(),
  /** For a new account. @default the e-mail */
  name: personName.optional(),
  /** For a new account, or in place of a password: 12 characters or more, 256 bytes at most. */
  password: password.optional(),
});

/** The use of a link. What it makes is signed in. */
export type LinkUseRequest = Data<typeof linkUseRequest>;

const invitationCreateRequest = z.strictObject({ email, roles: rolesField });

/** Whom to invite. */
export type InvitationCreateRequest = Data<typeof invitationCreateRequest>;

const oneTimeLink = record({
  kind: z.enum(["first_owner", "invitation", "password"]),
  /** `null` where the user of the link says. */
  email: z.string().nullable(),
  /** What the organisation is called that it invites to. */
  organization: z.string().nullable(),
  roles: z.array(z.string()),
  expiresAt: z.string(),
  /** Whether the e-mail has an account, which must be signed in to use the link; not asked of a new password. */
  needsSession: z.boolean(),
});

/** What a one-time link does, for those who have it. */
export type OneTimeLink = Data<typeof oneTimeLink>;

const fields = {
  invitationId: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  /** Who has invited. */
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
};

const invitation = record(fields);

/** One who is invited and has not come yet. */
export type Invitation = Data<typeof invitation>;

const createdInvitation = record({ ...fields, link: z.string() });

export const createdLink = record({ link: z.string(), expiresAt: z.string() });

export const linkEndpoints = {
  /** What a one-time link does; 404 `link_unknown` where it has been used, or has ended. Retried. */
  readLink: defineEndpoint({
    name: "linkRead",
    method: "POST",
    path: `${service}/links/read`,
    idempotent: true,
    scope: "anyone",
    body: linkReadRequest,
    answer: oneTimeLink,
    summary: "Returns what a one-time link is for",
  }),
  /** Uses a one-time link and signs in. 409 `account_exists` where its e-mail must sign in first. Never retried once sent. */
  useLink: defineEndpoint({
    name: "linkUse",
    method: "POST",
    path: `${service}/links/use`,
    scope: "anyone",
    body: linkUseRequest,
    answer: adminAccount,
    summary: "Uses a one-time link",
  }),
};

const invitations = partOf({ invitations: z.array(invitation) });

export const memberInvitations = {
  /** Those who are invited and have not come yet, the oldest first. Retried. */
  invitations: defineEndpoint({
    name: "invitationList",
    path: `${organization}/invitations`,
    kind: "all",
    scope: "owner",
    query: partQuery,
    answer: invitations,
    summary: "Lists invitations",
  }),
  /** Invites a person: the link is shown this once, and is for that one to use. Never retried once sent. */
  invite: defineEndpoint({
    name: "invitationCreate",
    method: "POST",
    path: `${organization}/invitations`,
    scope: "owner",
    body: invitationCreateRequest,
    answer: createdInvitation,
    summary: "Invites a person, by a one-time link",
    statuses: [201],
  }),
  /** Takes an invitation back. Never retried once sent. */
  revokeInvitation: defineEndpoint({
    name: "invitationRevoke",
    method: "POST",
    path: `${organization}/invitations/{invitationId}/revoke`,
    scope: "owner",
    answer: invitation,
    summary: "Takes an invitation back",
  }),
};

export const operatorInvitations = {
  /** Invites another operator: the link is shown this once. Never retried once sent. */
  inviteOperator: defineEndpoint({
    name: "operatorInvite",
    method: "POST",
    path: `${service}/operators`,
    scope: "operator",
    body: z.strictObject({ email }),
    answer: createdInvitation,
    summary: "Invites an operator, by a one-time link",
    statuses: [201],
  }),
  /** Operators who are invited and have not come yet, the oldest first. Retried. */
  operatorInvitations: defineEndpoint({
    name: "operatorInvitationList",
    path: `${service}/operators/invitations`,
    kind: "all",
    scope: "operator",
    query: partQuery,
    answer: invitations,
    summary: "Lists invitations of operators",
  }),
  /** Revokes the invitation of an operator. Never retried once sent. */
  revokeOperatorInvitation: defineEndpoint({
    name: "operatorInvitationRevoke",
    method: "POST",
    path: `${service}/operators/invitations/{invitationId}/revoke`,
    scope: "operator",
    answer: invitation,
    summary: "Revokes the invitation of an operator",
  }),
};
