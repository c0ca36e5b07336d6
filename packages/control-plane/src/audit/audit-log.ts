import type { DatabaseTransaction } from "../database/connection.ts";
import { type Json, stringify } from "../http/json.ts";

export type AuditAction =
  | "organization.create"
  | "organization.settings"
  | "organization.limits"
  | "api_key.create"
  | "api_key.rotate"
  | "api_key.revoke"
  | "currency.set"
  | "agent.create"
  | "agent.edit"
  | "indicator.create"
  | "price.set"
  | "customer.create"
  | "customer.edit"
  | "customer.erase"
  | "wallet.create"
  | "wallet.limits"
  | "wallet.top_up"
  | "wallet.refund"
  | "wallet.correction"
  | "budget.set"
  | "budget.reset"
  | "budget.delete"
  | "allowance.create"
  | "allowance.change"
  | "allowance.end"
  | "grant.create"
  | "grant.extend"
  | "grant.void"
  | "order.create"
  | "order.cancel"
  | "invoice.mark_paid"
  | "invoice.void"
  | "invoice.credit"
  | "issuer.set"
  | "period.close"
  | "usage.resettle"
  | "voice_session.close"
  | "voice_session.expire"
  | "gate.retry"
  | "export"
  | "webhook.create"
  | "webhook.edit"
  | "webhook.delete"
  | "webhook.rotate_secret"
  | "webhook.disable"
  | "webhook.replay"
  | "webhook.test"
  | "user.create"
  | "user.edit"
  | "user.link"
  | "user.sign_in"
  | "user.sign_out"
  | "user.sign_in_refused"
  | "user.password"
  | "user.identity"
  | "user_token.create"
  | "user_token.revoke"
  | "member.join"
  | "member.edit"
  | "member.remove"
  | "invitation.create"
  | "invitation.revoke";

/** The actions that change a record which people see before they change it: `auditEdit` notes them. */
export type EditAction = Extract<
  AuditAction,
  | `${string}.edit`
  | `${"budget" | "currency" | "issuer" | "price"}.set`
  | `${string}.limits`
  | "organization.settings"
>;

/** A change of money, prices, keys or people, or a file that someone took. Usage is not here: the ledger has it, with its cause. */
export interface AuditRecord {
  /** `undefined` for what is of no organisation. */
  readonly orgId: bigint | undefined;
  /**
   * `key:<id>` for an API key, `admin:<name>` for an admin token, `user:<e-mail>` for a person, with `/<name>` for a token of
   * one, else the part of the service that acted.
   */
  readonly actor: string;
  readonly action: AuditAction;
  /** What was changed. */
  readonly subject: Json;
  readonly before?: Json;
  readonly after?: Json;
}

/** Notes a change in the transaction that makes it: there is none without the other. */
export function audit(transaction: DatabaseTransaction, record: AuditRecord, at: Date): Promise<void> {
  return auditAll(transaction, [record], at);
}

/** Notes changes in one statement. */
export async function auditAll(
  transaction: DatabaseTransaction,
  records: readonly AuditRecord[],
  at: Date,
): Promise<void> {
  const rows = records.map(({ orgId, actor, action, subject, before, after }) => ({
    org_id: orgId ?? 0n,
    actor,
    action,
    subject: stringify(subject),
    before: logged(before),
    after: logged(after),
    at,
  }));
  await transaction.insertInto("audit_log").values(rows).execute();
}

/** The log has the fields of a record, not the `etag` that is made of them. */
function logged(value: Json | undefined): string | null {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || !("etag" in value)) return stringify(value);
  const { etag: _, ...fields } = value;
  return stringify(fields);
}
