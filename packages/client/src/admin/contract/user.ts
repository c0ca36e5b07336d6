import { z } from "zod";
import { email } from "./account.ts";
import { type Edit, editFields, type Tagged, taggedFields } from "./etag.ts";
import { type Part, partEnd } from "./part.ts";
import { type MemberRole, rolesField } from "./role.ts";

/** A person in an organisation. */
export interface Member extends Tagged {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** When the person joined. */
  readonly createdAt: string;
  /** Whether an operator has shut the account. */
  readonly disabled: boolean;
}

/** The roles of a member from now on. */
export interface MemberEditRequest extends Edit {
  readonly roles: readonly MemberRole[];
}

/** A person with an account, as operators see it. */
export interface AdminUser extends Tagged {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly operator: boolean;
  readonly disabled: boolean;
  readonly hasPassword: boolean;
  readonly createdAt: string;
}

/** What operators change of an account. What is left out stays. */
export interface UserEditRequest extends Edit {
  /** Whether it may do everything, in every organisation. */
  readonly operator?: boolean | undefined;
  /** Ends its sessions and tokens, and refuses to let anyone sign in by it. */
  readonly disabled?: boolean | undefined;
}

/** Another operator. */
export interface OperatorInviteRequest {
  readonly email: string;
}

/** Parses the roles of a member. */
export const memberEditRequest: z.ZodType<MemberEditRequest> = z.strictObject({
  ...editFields,
  roles: rolesField,
});

/** Parses what is changed of an account. */
export const userEditRequest: z.ZodType<UserEditRequest> = z.strictObject({
  ...editFields,
  operator: z.boolean().optional(),
  disabled: z.boolean().optional(),
});

/** Parses who is to be an operator. */
export const operatorInviteRequest: z.ZodType<OperatorInviteRequest> = z.strictObject({ email });

/** Parses a member. Fields that are not listed are passed on. */
export const member: z.ZodType<Member> = z.looseObject({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  createdAt: z.string(),
  disabled: z.boolean(),
  ...taggedFields,
});

/** A part of the members, the first to join first. */
export interface MemberListAnswer extends Part {
  readonly members: readonly Member[];
}

/** Parses a part of the members. */
export const memberListAnswer: z.ZodType<MemberListAnswer> = z.looseObject({
  members: z.array(member),
  ...partEnd,
});

/** Parses an account. Fields that are not listed are passed on. */
export const adminUser: z.ZodType<AdminUser> = z.looseObject({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  operator: z.boolean(),
  disabled: z.boolean(),
  hasPassword: z.boolean(),
  createdAt: z.string(),
  ...taggedFields,
});

/** A part of the accounts, the oldest first. */
export interface UserListAnswer extends Part {
  readonly users: readonly AdminUser[];
}

/** Parses a part of the accounts. */
export const userListAnswer: z.ZodType<UserListAnswer> = z.looseObject({
  users: z.array(adminUser),
  ...partEnd,
});
