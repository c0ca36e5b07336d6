import type { LinkUseRequest } from "@creditgate/admin";
import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import { Problem } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";
import { findLink, isFirst, type Link, type LinkTerms, takeLink } from "../people/links.ts";
import { checkPassword } from "../people/password-rules.ts";
import type { People } from "../people/people.ts";
import type { Person } from "../people/person.ts";
import { endCredentials, endSession, startSession } from "../people/sessions.ts";
import { createUser, findUser, join, lockUser, type User } from "../people/users.ts";
import { accountOf, signedIn } from "./account.ts";
import type { AdminHandlers } from "./table.ts";

/** What one-time links do: the first owner, those who are invited, a new password for one who has lost it. */
export function linkHandlers(database: Database, { site, passwords, tokenNames }: People) {
  return {
    async linkRead({ at, body: { token } }) {
      const link = await findLink(database, token, { at, tokenNames });
      if (link === undefined) throw linkUnknown();
      const organization =
        link.org_id === null
          ? undefined
          : await database
              .selectFrom("organizations")
              .select("name")
              .where("org_id", "=", link.org_id)
              .executeTakeFirst();
      return answer(200, {
        kind: link.kind,
        email: link.email,
        organization: organization?.name ?? null,
        roles: link.roles,
        expiresAt: link.expires_at.toISOString(),
        needsSession:
          link.kind === "invitation" && (await findUser(database, link.email ?? "")) !== undefined,
      });
    },

    async linkUse({ at, body, visitor }) {
      const terms = { at, tokenNames };
      const link = await findLink(database, body.token, terms);
      if (link === undefined) throw linkUnknown();
      const { person } = visitor;
      if (link.kind === "invitation" && person?.session !== undefined && person.email === link.email) {
        await database.transaction().execute((transaction) => accept(transaction, body, person, terms));
        return answer(
          200,
          await accountOf(
            database,
            { ...person, isOperator: link.is_operator || person.isOperator },
            link.is_operator || person.isOperator,
          ),
        );
      }
      const email = link.email ?? body.email;
      if (email === undefined) throw missing("/email", "the e-mail of the first owner");
      if (body.password === undefined) {
        throw (await needsSession(database, link)) ?? missing("/password", "a password");
      }
      checkPassword(body.password, email, "/password");
      const newcomer = { email, name: body.name, passwordHash: await passwords.hash(body.password) };
      const secret = await database.transaction().execute(async (transaction) => {
        // Checked again: another request may have used it while the password was computed.
        const taken = await takeLink(transaction, body.token, terms);
        if (taken === undefined) throw linkUnknown();
        const user = await userOf(transaction, taken, newcomer, at);
        await endSession(transaction, { secret: visitor.cookie("session") });
        return startSession(transaction, user.user_id, at);
      });
      return signedIn(
        database,
        site,
        { secret, storedPassword: newcomer.passwordHash, status: link.kind === "password" ? 200 : 201 },
        at,
      );
    },
  } satisfies Partial<AdminHandlers>;
}

interface Newcomer {
  readonly email: string;
  readonly name: string | undefined;
  readonly passwordHash: string;
}

/** The account that a link makes, or gives another password. */
async function userOf(
  transaction: DatabaseTransaction,
  link: Link,
  newcomer: Newcomer,
  at: Date,
): Promise<User> {
  switch (link.kind) {
    case "first_owner": {
      // Each replica that has started without people has printed a link.
      if (!(await isFirst(transaction))) throw linkUnknown();
      const first = await createUser(transaction, { ...newcomer, isOperator: true }, at);
      if (first === undefined) throw linkUnknown();
      return first;
    }
    case "invitation": {
      const user = await createUser(transaction, { ...newcomer, isOperator: link.is_operator }, at);
      // An invitation is in the hands of the one who invites: it must not open an account that there is.
      if (user === undefined) throw accountExists();
      if (link.org_id !== null) await join(transaction, { orgId: link.org_id, user, roles: link.roles }, at);
      return user;
    }
    case "password":
      return replacePassword(transaction, newcomer, at);
  }
}

async function replacePassword(
  transaction: DatabaseTransaction,
  { email, passwordHash }: Newcomer,
  at: Date,
): Promise<User> {
  const user = await transaction
    .updateTable("users")
    .set({ password_hash: passwordHash })
    .where("email", "=", email)
    .where("disabled_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (user === undefined) throw linkUnknown();
  await endCredentials(transaction, user, at);
  const who = { orgId: undefined, actor: `user:${email}` };
  await audit(transaction, { ...who, action: "user.password", subject: email }, at);
  return user;
}

/** One who has an account, and is signed in, becomes a member of one more organisation, or an operator. */
async function accept(
  transaction: DatabaseTransaction,
  { token }: LinkUseRequest,
  { userId }: Person,
  terms: LinkTerms,
): Promise<void> {
  const { at } = terms;
  const link = await takeLink(transaction, token, terms);
  const user = await lockUser(transaction, userId);
  if (link === undefined || user === undefined) throw linkUnknown();
  if (link.org_id !== null) await join(transaction, { orgId: link.org_id, user, roles: link.roles }, at);
  if (!link.is_operator || user.is_operator) return;
  await transaction.updateTable("users").set({ is_operator: true }).where("user_id", "=", userId).execute();
  const who = { orgId: undefined, actor: `user:${user.email}` };
  const change = { before: { operator: false }, after: { operator: true } };
  await audit(transaction, { ...who, action: "user.edit", subject: user.email, ...change }, at);
}

async function needsSession(database: Database, link: Link): Promise<Problem | undefined> {
  if (link.kind !== "invitation" || link.email === null) return undefined;
  return (await findUser(database, link.email)) === undefined ? undefined : accountExists();
}

function accountExists(): Problem {
  return new Problem(
    409,
    "account_exists",
    "expected the account of this e-mail to be signed in, received a request without its session. Sign in, and open the link again",
  );
}

/** The same for one that never was, was used, was revoked, or has ended. */
function linkUnknown(): Problem {
  return new Problem(
    404,
    "link_unknown",
    "expected a link that has not been used and has not ended, received another",
  );
}

function missing(pointer: string, expected: string): Problem {
  return invalid([{ pointer, detail: `expected ${expected}, received nothing` }]);
}
