import pg from "pg";
import { ControlPlaneError } from "../errors/control-plane-error.ts";

/** What servers and workers do to each table beyond reading it; a column list is what they may change of a row. */
const privileges = {
  creditgate_migrations: [],
  organizations: ["insert", "update"],
  api_keys: ["insert", "update"],
  agents: ["insert", "update"],
  // Locking a row takes the right to update it.
  indicators: ["insert", "update"],
  customers: ["insert", "update"],
  currencies: ["insert", "update"],
  wallets: ["insert", "update"],
  grants: ["insert", "update (remaining, state, expires_at)"],
  allowances: ["insert", "update"],
  budgets: ["insert", "update", "delete"],
  budget_sums: ["insert", "update", "delete"],
  orders: ["insert", "update"],
  order_line_items: ["insert"],
  credit_benefits: ["insert"],
  invoices: ["insert", "update (status, paid_at, voided_at, voided_usage, credited_amount)"],
  document_numbers: ["insert", "update"],
  usage_due: ["insert", "update", "delete"],
  settlement_pace: ["insert", "update"],
  usage_outcomes: ["insert", "update", "delete"],
  usage_settlements: [],
  usage_keys_at_turn: ["insert", "delete"],
  dropped_usage: [],
  usage_hours: ["insert", "update"],
  usage_days: ["insert", "update"],
  customer_usage_days: ["insert", "update"],
  customer_usage_months: ["insert", "update"],
  voice_sessions: ["insert", "update"],
  idempotent_answers: ["insert", "update", "delete"],
  answer_keys_at_turn: ["insert", "delete"],
  detached_partitions: [],
  ledger_carried: [],
  period_failures: ["insert", "update", "delete"],
  wallet_openings: ["insert", "update", "delete"],
  webhook_endpoints: ["insert", "update", "delete"],
  webhook_secrets: ["insert", "update", "delete"],
  webhook_events: ["insert", "delete"],
  webhook_deliveries: ["insert", "update", "delete"],
  webhook_streams: ["insert", "update", "delete"],
  gates: ["insert", "update", "delete"],
  gate_decisions: ["insert", "update", "delete"],
  gate_wallets: ["insert", "update", "delete"],
  users: ["insert", "update"],
  members: ["insert", "update", "delete"],
  user_sessions: ["insert", "update", "delete"],
  user_tokens: ["insert", "update"],
  user_identities: ["insert"],
  user_links: ["insert", "update"],
  oidc_flows: ["insert", "delete"],
  // What is written here stays.
  usage_reports: ["insert"],
  ledger_entries: ["insert"],
  audit_log: ["insert"],
  prices: ["insert"],
  unit_prices: ["insert"],
  issuers: ["insert"],
  credit_notes: ["insert"],
  credit_note_credits: ["insert"],
  voice_usage: ["insert"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** What changes the schema, or what has been written, in the owner's name. */
const functions = [
  "make_partitions(text, timestamptz)",
  "let_partition_go(text, timestamptz)",
  "erase_reasons(bigint, text)",
];

/** What gives rows of partitions their numbers. */
const sequences = ["audit_ids"];

/** The tables that the app role has rights on. */
export const grantedTables: readonly string[] = Object.keys(privileges);

/**
 * Gives a role what servers and workers need, and takes from it all else: it cannot change the schema, nor what has been
 * written to the ledger, the audit log and the prices. Run by the owner of the tables, after each migration.
 */
export async function grantToApp(pool: pg.Pool, role: string): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ rolsuper: boolean; owner: boolean }>(
      `select rolsuper, exists (select from pg_class where relname = 'ledger_entries' and relowner = pg_roles.oid
                                   and relnamespace = current_schema()::regnamespace) as owner
         from pg_roles where rolname = $1`,
      [role],
    );
    const [found] = rows;
    if (found === undefined) throw refused(`create role ${role} login password '…'`, "none of this name");
    if (found.rolsuper) throw refused("one that is not a superuser", `${role}, which is one`);
    if (found.owner) throw refused("one that does not own the tables", `${role}, which owns them`);
    const name = pg.escapeIdentifier(role);
    const schema = pg.escapeIdentifier((await currentSchema(client)) ?? "public");
    const statements = Object.entries(privileges).flatMap(([table, allowed]) => [
      `revoke all on ${schema}.${table} from ${name}`,
      `grant select on ${schema}.${table} to ${name}`,
      ...allowed.map((privilege) => `grant ${privilege} on ${schema}.${table} to ${name}`),
    ]);
    const calls = functions.map((call) => `grant execute on function ${schema}.${call} to ${name}`);
    const numbers = sequences.map((sequence) => `grant usage on sequence ${schema}.${sequence} to ${name}`);
    await client.query(
      `begin; grant usage on schema ${schema} to ${name}; ${[...statements, ...calls, ...numbers].join("; ")}; commit`,
    );
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

async function currentSchema(client: pg.PoolClient): Promise<string | null | undefined> {
  const { rows } = await client.query<{ schema: string | null }>("select current_schema() as schema");
  return rows[0]?.schema;
}

function refused(expected: string, received: string): ControlPlaneError {
  return new ControlPlaneError(
    "config_invalid",
    `--app-role: expected a role for servers and workers: ${expected}, received ${received}`,
  );
}
