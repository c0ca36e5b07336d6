import { connect } from "../../control-plane/src/database/connection.ts";
import type { Scene } from "./scene.ts";

/**
 * Ninety days of usage of four agents by the customers of the scene, settled and counted, as the service would have left it.
 */
export async function fillUsage({ plane, admin }: Scene): Promise<void> {
  const { pool, close } = connect(plane.databaseUrl, 1);
  try {
    await pool.query(statements(Number(admin.organizationId)));
  } finally {
    await close();
  }
}

/** Three reports that are late, until what is answered is called: somebody else holds their wallet. */
export async function holdUsage({ plane }: Scene): Promise<() => Promise<void>> {
  const { pool, close } = connect(plane.databaseUrl, 2);
  const holder = await pool.connect();
  await holder.query("begin; select from wallets where customer_id = 'dovetail' for update");
  await pool.query(`
    with report as (
      insert into usage_reports (org_id, usage_id, request_hash, agent_id, indicator, customer_id, raw_usage, currency, amount,
                                received_at)
        select org_id, ${timedId("at", "number")}, repeat('0', 64), 'chat', 'message', customer_id, '{"model":"gpt-5"}', currency,
               1500000, at
          from wallets, generate_series(1, 3) as number,
               lateral (select date_trunc('milliseconds', now() - interval '42 seconds') as at) as time
         where customer_id = 'dovetail' and currency = 'ai_credits'
      returning *)
    insert into usage_due (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, due_at)
      select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, received_at + interval '1 second'
        from report`);
  return async () => {
    await holder.query("rollback");
    holder.release();
    await close();
  };
}

/** These ledgers have spent a wallet for half an hour, as the control plane would have noted it. */
export async function spendWallet(
  { plane, admin }: Scene,
  customerId: string,
  ledgers: readonly string[],
): Promise<void> {
  const { pool, close } = connect(plane.databaseUrl, 1);
  const spent = `
    insert into gate_wallets (org_id, customer_id, currency, ledger, first_at, last_at)
      select $1, $2, 'ai_credits', ledger, now() - interval '30 minutes' + number * interval '1 minute', now()
        from unnest($3::text[]) with ordinality as used (ledger, number)`;
  await pool.query(spent, [admin.organizationId, customerId, ledgers]);
  await close();
}

/** A UUID of version 7, by its time and a number. */
const timedId = (at: string, number: string): string =>
  `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${number}::text), 1, 3)
    || '8' || substr(md5(${number}::text), 4, 15))::uuid`;

const agents = [
  ["phone", "Phone agent", "call_minute"],
  ["draft", "Draft writer", "draft"],
  ["research", "Deep research", "report"],
];

const statements = (organization: number): string => `
  ${agents
    .map(
      ([id, name, indicator]) => `
        insert into agents (org_id, agent_id, external_id, name) values (${organization}, '${id}', '${id}-1', '${name}');
        insert into indicators (org_id, agent_id, name) values (${organization}, '${id}', '${indicator}');
        insert into prices (org_id, agent_id, indicator, version, valid_from, billing, currency, price, model_prices)
          values (${organization}, '${id}', '${indicator}', 1, 'epoch', 'CREDITS', 'ai_credits', '{"perEvent":"1"}', '[]');`,
    )
    .join("")}
  create temporary table used as
    select ${timedId("at", "(i, agent.id, customer.number)")} as usage_id, agent.id as agent_id, agent.indicator,
           customer.external_id as customer_id, json_build_object('provider', 'openai', 'model', case agent.id when 'phone' then 'nova-3' else 'gpt-5' end,
                             'inputTokens', 9000 + i * 37 % 5000, 'outputTokens', 700 + i * 13 % 1200) as raw_usage,
           round(agent.share * 100 * (90 + 30 * sin(i / 9.0) + case when extract(isodow from at) > 5 then -40 else i / 12 end)
             * (20 - customer.number))::bigint * 10000 as amount,
           at as received_at, at + (1200 + i * 7 % 900) * interval '1 millisecond' as settled_at
      from generate_series(1, 270) as i,
           (values ('chat', 'message', 38), ('phone', 'call_minute', 21), ('draft', 'draft', 12), ('research', 'report', 8))
             as agent (id, indicator, share),
           lateral (select date_trunc('milliseconds', now() - interval '10 seconds' - (270 - i) * interval '8 hours') as at) as time,
           lateral (select external_id, row_number() over (order by external_id) as number from customers
                     where org_id = ${organization}) as customer
     where (i + customer.number + agent.share) % 3 = 0;
  insert into used
    select ${timedId("at", "i")}, 'chat', 'message', 'cobalt-freight',
           '{"provider":"openai","model":"gpt-5","inputTokens":1200,"outputTokens":40}', 2660000 + i * 10000,
           at, at + (1500 + i * 131 % 1700) * interval '1 millisecond'
      from generate_series(2, 200) as i,
           lateral (select date_trunc('milliseconds', now() - i * interval '7 minutes') as at) as time;
  insert into usage_reports (org_id, usage_id, request_hash, agent_id, indicator, customer_id, raw_usage, currency, amount,
                            received_at)
    select ${organization}, usage_id, repeat('0', 64), agent_id, indicator, customer_id, raw_usage, 'ai_credits', amount, received_at
      from used;
  insert into ledger_entries (org_id, entry_no, created_at, accrued_at, available, pending, overage_used, postpaid_used,
                              available_after, pending_after, overage_used_after, postpaid_used_after,
                              customer_id, currency, cause, usage_id)
    select ${organization}, 1000000 + row_number() over (order by settled_at), settled_at, received_at, -amount, 0, 0, 0,
           0, 0, 0, 0, customer_id, 'ai_credits', 'usage', usage_id
      from used where amount > 0;
  insert into customer_usage_days (org_id, customer_id, day, agent_id, indicator, currency, events, credits)
    select org_id, customer_id, (received_at at time zone 'UTC')::date, agent_id, indicator, currency, count(*), sum(amount)
      from usage_reports group by 1, 2, 3, 4, 5, 6;
  insert into customer_usage_months (org_id, customer_id, month, agent_id, indicator, currency, events, credits)
    select org_id, customer_id, date_trunc('month', day)::date, coalesce(agent_id, ''), coalesce(indicator, ''), currency, sum(events), sum(credits)
      from customer_usage_days
     group by grouping sets ((org_id, customer_id, date_trunc('month', day), agent_id, indicator, currency),
                             (org_id, customer_id, date_trunc('month', day), currency));
  insert into usage_hours (org_id, hour, agent_id, indicator, currency, events, credits)
    select org_id, date_trunc('hour', received_at, 'UTC'), agent_id, indicator, currency, count(*), sum(amount)
      from usage_reports group by 1, 2, 3, 4, 5;
  insert into usage_days (org_id, day, agent_id, indicator, currency, events, credits)
    select org_id, (hour at time zone 'UTC')::date, agent_id, indicator, currency, sum(events), sum(credits)
      from usage_hours group by 1, 2, 3, 4, 5;`;
