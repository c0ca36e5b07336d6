import type { MemberRole } from "@creditgate/admin";
import type { User } from "./users.ts";

/** One who has signed in. */
export interface Person {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly hasPassword: boolean;
  readonly isOperator: boolean;
  /** `undefined` where a token of that person asks. */
  readonly session: LiveSession | undefined;
  /** What the token is called. */
  readonly tokenName: string | undefined;
}

/** A session that has not ended. */
export interface LiveSession {
  readonly hash: string;
  readonly createdAt: Date;
  readonly usedAt: Date;
  readonly expiresAt: Date;
}

/** How the audit log names a person, and the token that asked. */
export function actorOf({ email, tokenName }: Pick<Person, "email" | "tokenName">): string {
  return tokenName === undefined ? `user:${email}` : `user:${email}/${tokenName}`;
}

/** The person of a row of `users`, read together with the session or the token that asks. */
export function personOf(
  user: Pick<User, "user_id" | "email" | "name" | "password_hash" | "is_operator">,
  { session, tokenName }: Pick<Person, "session" | "tokenName">,
): Person {
  return {
    userId: user.user_id,
    email: user.email,
    name: user.name,
    hasPassword: user.password_hash !== null,
    isOperator: user.is_operator,
    session,
    tokenName,
  };
}

/** What a browser keeps for us. */
export type CookieKind = "session" | "oidc" | "device";

/** Who asks the admin API, and how. */
export interface Visitor {
  /** `undefined` for an admin token, and for one who has not signed in. */
  readonly person: Person | undefined;
  /** Whether it may do everything, in every organisation. */
  readonly isOperator: boolean;
  /** Those that a member has in the organisation which the request names. */
  readonly roles: readonly MemberRole[];
  readonly address: string | undefined;
  /** Whether the same request would be let in now, for what goes on after it. It does not count as use of a session. */
  isStillAdmitted(): Promise<boolean>;
  /** The value of a cookie of ours, if it has come once. */
  cookie(kind: CookieKind): string | undefined;
}
