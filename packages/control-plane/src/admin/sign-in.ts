import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import { Problem } from "../http/problem.ts";
import { hasUsers } from "../people/links.ts";
import type { People } from "../people/people.ts";
import { actorOf, type Person } from "../people/person.ts";
import type { RefusedSignIns } from "../people/refused-sign-ins.ts";
import { endSession, endSessions, startSession } from "../people/sessions.ts";
import { findUser, holdPassword } from "../people/users.ts";
import { accountOf, knownDevice, signedIn } from "./account.ts";
import type { AdminHandlers } from "./table.ts";

/** Signing in by a password, and out. */
export function signInHandlers(
  database: Database,
  { site, passwords, limits, oidc }: People,
  refused: RefusedSignIns,
) {
  const signedOut = { ...answer(200, {}), headers: { "set-cookie": site.keep("session", "", 0) } };

  /** Ends sessions, and notes that. */
  const ended = (
    person: Person,
    which: string,
    at: Date,
    end: (transaction: DatabaseTransaction) => Promise<void>,
  ) =>
    database.transaction().execute(async (transaction) => {
      await end(transaction);
      const who = { orgId: undefined, actor: actorOf(person), subject: person.email };
      await audit(transaction, { ...who, action: "user.sign_out", after: { ended: which } }, at);
    });

  return {
    async signInWays() {
      return answer(200, { identityProvider: oidc?.name ?? null, hasUsers: await hasUsers(database) });
    },

    async signIn({ body: { email, password }, visitor, at }) {
      const user = await findUser(database, email);
      const stored = user?.disabled_at === null ? user.password_hash : null;
      const device = knownDevice(visitor.cookie("device"), stored);
      limits.begin(email, visitor.address, device);
      // The same work, and the same answer, whether there is such an account or not.
      const isRight = await passwords.verify(stored, password, device === undefined ? "strangers" : "known");
      if (user === undefined || stored === null || !isRight) {
        refused.record(user?.email, visitor.address);
        throw signInRefused();
      }
      limits.forgive(email, visitor.address, device);
      const secret = await database.transaction().execute(async (transaction) => {
        // Else one who goes on signing in by an old password would have a session that is younger than the end of all.
        if (!(await holdPassword(transaction, user.user_id, stored))) throw signInRefused();
        // The browser may have had one; another's session, put there by an attacker, ends.
        await endSession(transaction, { secret: visitor.cookie("session") });
        const who = { orgId: undefined, actor: `user:${email}` };
        const after = { by: "password", address: visitor.address ?? null };
        await audit(transaction, { ...who, action: "user.sign_in", subject: email, after }, at);
        return startSession(transaction, user.user_id, at);
      });
      return signedIn(database, site, { secret, storedPassword: stored }, at);
    },

    async accountRead({ visitor: { person, isOperator } }) {
      return answer(200, await accountOf(database, person, isOperator));
    },

    async signOut({ visitor: { person }, at }) {
      const { session } = person ?? {};
      if (person && session) await ended(person, "this session", at, (ending) => endSession(ending, session));
      return signedOut;
    },

    async signOutEverywhere({ visitor: { person }, at }) {
      if (person) await ended(person, "all sessions", at, (ending) => endSessions(ending, person.userId));
      return signedOut;
    },
  } satisfies Partial<AdminHandlers>;
}

function signInRefused(): Problem {
  return new Problem(
    401,
    "sign_in_refused",
    "expected the e-mail and the password of an account, received others",
  );
}
