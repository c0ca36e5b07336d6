import { z } from "zod";
import { email, password, personName } from "./account.ts";
import { type Part, partEnd } from "./part.ts";
import { type MemberRole, rolesField } from "./role.ts";

/** What a one-time link is for: the first owner, one who is invited, or a new password. */
export type LinkKind = "first_owner" | "invitation" | "password";

/** What a one-time link does; told to those who have it. */
export interface OneTimeLink {
  readonly kind: LinkKind;
  /** `null` where the user of the link says. */
  readonly email: string | null;
  /** What the organisation is called that it invites to. */
  readonly organization: string | null;
  readonly roles: readonly string[];
  readonly expiresAt: string;
  /** Whether the e-mail has an account, which must be signed in to use the link; not asked of a new password. */
  readonly needsSession: boolean;
}

/** Which link: the token that stands behind `#token=`. */
export interface LinkReadRequest {
  readonly token: string;
}

/** The use of a link. What it makes is signed in. */
export interface LinkUseRequest extends LinkReadRequest {
  /** Of the first owner. */
  readonly email?: string | undefined;
  /** For a new account. @default the e-mail */
  readonly name?: string | undefined;
  /** For a new account, or in place of a password: 12 characters or more, 256 bytes at most. */
  readonly password?: string | undefined;
}

/** One who is invited and has not come yet. */
export interface Invitation {
  readonly invitationId: string;
  readonly email: string;
  readonly roles: readonly string[];
  /** Who has invited. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** An invitation that has just been made: the only time that its link is shown. */
export interface CreatedInvitation extends Invitation {
  /** For the one who is invited, and for no one else: it works once. */
  readonly link: string;
}

/** Whom to invite. */
export interface InvitationCreateRequest {
  readonly email: string;
  readonly roles: readonly MemberRole[];
}

/** A link that has just been made: the only time that it is shown. */
export interface CreatedLink {
  readonly link: string;
  readonly expiresAt: string;
}

const token = z.string().regex(/^[\w-]{20,100}$/, "Invalid input: expected the token of a link");

/** Parses which link is asked for. */
export const linkReadRequest: z.ZodType<LinkReadRequest> = z.strictObject({ token });

/** Parses the use of a link. */
export const linkUseRequest: z.ZodType<LinkUseRequest> = z.strictObject({
  token,
  email: email.optional(),
  name: personName.optional(),
  password: password.optional(),
});

/** Parses whom to invite. */
export const invitationCreateRequest: z.ZodType<InvitationCreateRequest> = z.strictObject({
  email,
  roles: rolesField,
});

/** Parses what a link does. */
export const oneTimeLink: z.ZodType<OneTimeLink> = z.looseObject({
  kind: z.enum(["first_owner", "invitation", "password"]),
  email: z.string().nullable(),
  organization: z.string().nullable(),
  roles: z.array(z.string()),
  expiresAt: z.string(),
  needsSession: z.boolean(),
});

const fields = {
  invitationId: z.string(),
  email: z.string(),
  roles: z.array(z.string()),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
};

/** Parses an invitation as lists show it. */
export const invitation: z.ZodType<Invitation> = z.looseObject(fields);

/** Parses an invitation that has just been made. */
export const createdInvitation: z.ZodType<CreatedInvitation> = z.looseObject({ ...fields, link: z.string() });

/** Parses a link that has just been made. */
export const createdLink: z.ZodType<CreatedLink> = z.looseObject({ link: z.string(), expiresAt: z.string() });

/** A part of the invitations that wait, the oldest first. */
export interface InvitationListAnswer extends Part {
  readonly invitations: readonly Invitation[];
}

/** Parses a part of the invitations. */
export const invitationListAnswer: z.ZodType<InvitationListAnswer> = z.looseObject({
  invitations: z.array(invitation),
  ...partEnd,
});
