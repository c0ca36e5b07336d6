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
