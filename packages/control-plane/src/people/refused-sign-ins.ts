import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { createTokenBuckets } from "../http/token-buckets.ts";
import type { Clock } from "../time/clock.ts";

/** Failed sign-ins, for operators. */
export interface RefusedSignIns {
  /** Records one of an account, or of an e-mail that has none. */
  record(email: string | undefined, address: string | undefined): void;
}

/** A flood must not fill the log: an account, and all e-mails without one together, get six records an hour after the first five. */
const perAccount = { perSecond: 1 / 600, burst: 5 };
const perProcess = { perSecond: 1 / 30, burst: 100 };

/** Writes them to the log and to the audit log. No request waits for that: the time would show whether there is an account. */
export function createRefusedSignIns(
  database: Database,
  clock: Clock,
  onNotice: (line: string) => void,
): RefusedSignIns {
  const accounts = createTokenBuckets({ ...perAccount, clock });
  const everyone = createTokenBuckets({ ...perProcess, clock });
  /** By account, since its last record. */
  const notRecorded = new Map<string | undefined, number>();

  const write = async (email: string | undefined, address: string | undefined, others: number) => {
    const of = email ?? "an e-mail that has no account";
    const more = others === 0 ? "" : `, and ${others} times since the last such line`;
    onNotice(`sign-in refused: ${of} from ${address ?? "an unknown address"}${more}`);
    const who = { orgId: undefined, actor: "anyone", action: "user.sign_in_refused" } as const;
    const after = { address: address ?? null, notRecorded: others };
    const record = { ...who, subject: email ?? null, after };
    await database.transaction().execute((transaction) => audit(transaction, record, new Date(clock.now())));
  };

  return {
    record(email, address) {
      const others = notRecorded.get(email) ?? 0;
      if (accounts.take(email ?? "") > 0 || everyone.take("") > 0) {
        // Only accounts have an entry: strangers cannot make more.
        notRecorded.set(email, others + 1);
        return;
      }
      notRecorded.delete(email);
      write(email, address, others).catch((error: unknown) =>
        onNotice(`sign-in refused: the audit log could not be written: ${String(error)}`),
      );
    },
  };
}
