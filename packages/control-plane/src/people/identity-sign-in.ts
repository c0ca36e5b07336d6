import { email as emailSchema } from "@creditgate/admin";
import { audit } from "../audit/audit-log.ts";
import type { DatabaseTransaction } from "../database/connection.ts";
import { type Link, type LinkTerms, takeInvitations } from "./links.ts";
import type { JoinRule, OidcClaims } from "./open-id-connect.ts";
import { endCredentials } from "./sessions.ts";
import { createUser, findUser, join, type User } from "./users.ts";

/** Why one who has signed in at the provider does not get in here. */
export type IdentityRefusal = "email_unverified" | "not_invited" | "account_disabled" | "identity_changed";

/**
 * Finds or makes the account of one who has signed in at the identity provider: by what the provider calls that one for
 * ever, and the first time by a verified e-mail, where there is such an account, an invitation, or a rule for its domain.
 */
export async function signInByIdentity(
  transaction: DatabaseTransaction,
  claims: OidcClaims,
  rules: readonly JoinRule[],
  terms: LinkTerms,
): Promise<User | IdentityRefusal> {
  const known = await transaction
    .selectFrom("user_identities")
    .innerJoin("users", "users.user_id", "user_identities.user_id")
    .selectAll("users")
    .where("issuer", "=", claims.issuer)
    .where("subject", "=", claims.subject)
    .executeTakeFirst();
  const user = known ?? (await meet(transaction, claims, rules, terms));
  if (typeof user === "string") return user;
  return user.disabled_at === null ? user : "account_disabled";
}

async function meet(
  transaction: DatabaseTransaction,
  claims: OidcClaims,
  rules: readonly JoinRule[],
  terms: LinkTerms,
): Promise<User | IdentityRefusal> {
  const { at } = terms;
  const parsed = emailSchema.safeParse(claims.email);
  // An e-mail that is not verified is what somebody has typed into a form of the provider.
  if (!claims.isVerified || !parsed.success) return "email_unverified";
  const email = parsed.data;
  const account = await findUser(transaction, email);
  if (account !== undefined) return link(transaction, account, claims, at);
  const invitations = await takeInvitations(transaction, email, terms);
  const places = [...invitations.flatMap(placeOf), ...(await placesByRule(transaction, email, rules))];
  const isOperator = invitations.some(({ is_operator }) => is_operator);
  if (places.length === 0 && !isOperator) return "not_invited";
  const name = claims.name?.replaceAll(/\p{C}/gu, "").slice(0, 100) || undefined;
  const user = await createUser(transaction, { email, name, passwordHash: null, isOperator }, at);
  // Made a moment ago by another request.
  if (user === undefined) return "identity_changed";
  for (const { orgId, roles } of places) await join(transaction, { orgId, user, roles }, at);
  await remember(transaction, user, claims, at);
  return user;
}

/**
 * The e-mail of an account that was made by an invitation was never verified: anyone who had the link may have chosen the password.
 * From here on the account is the provider's user, and no one else's.
 */
async function link(
  transaction: DatabaseTransaction,
  account: User,
  claims: OidcClaims,
  at: Date,
): Promise<User | IdentityRefusal> {
  const other = await transaction
    .selectFrom("user_identities")
    .select("subject")
    .where("user_id", "=", account.user_id)
    .where("issuer", "=", claims.issuer)
    .executeTakeFirst();
  // The e-mail has been given to another person.
  if (other !== undefined) return "identity_changed";
  if (account.disabled_at !== null) return "account_disabled";
  await transaction
    .updateTable("users")
    .set({ password_hash: null })
    .where("user_id", "=", account.user_id)
    .execute();
  await endCredentials(transaction, account, at);
  await remember(transaction, account, claims, at);
  return { ...account, password_hash: null };
}

async function remember(
  transaction: DatabaseTransaction,
  user: User,
  { issuer, subject }: OidcClaims,
  at: Date,
): Promise<void> {
  await transaction
    .insertInto("user_identities")
    .values({ issuer, subject, user_id: user.user_id, created_at: at })
    .execute();
  const who = { orgId: undefined, actor: `user:${user.email}` };
  await audit(transaction, { ...who, action: "user.identity", subject: user.email, after: { issuer } }, at);
}

function placeOf({ org_id, roles }: Link) {
  return org_id === null ? [] : [{ orgId: org_id, roles }];
}

async function placesByRule(transaction: DatabaseTransaction, email: string, rules: readonly JoinRule[]) {
  const domain = email.slice(email.lastIndexOf("@") + 1);
  const matching = rules.filter((rule) => rule.domain === domain);
  const names = matching.map(({ organization }) => organization);
  if (names.length === 0) return [];
  const organizations = await transaction
    .selectFrom("organizations")
    .select(["org_id", "name"])
    .where("name", "in", names)
    .execute();
  return organizations.map(({ org_id, name }) => ({
    orgId: org_id,
    roles: matching.flatMap(({ organization, roles }) => (organization === name ? roles : [])),
  }));
}
