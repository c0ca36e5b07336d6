import type { MemberRole } from "@creditgate/client/admin";
import type { Person } from "./person.ts";

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
