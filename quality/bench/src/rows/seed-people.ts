import type { SeedStep } from "./seed-step.ts";

/** The customer of a number; every tenth is of one of the hundred small organisations. */
export const organizationOf = (customer: string): string =>
  `(case when ${customer} % 10 = 0 then 2 + ${customer} / 10 % 100 else 1 end)::bigint`;
export const customerIdOf = (customer: string): string => `'customer-' || lpad((${customer})::text, 7, '0')`;
/** Every twentieth has a postpaid wallet. */
export const isPostpaid = (customer: string): string => `(${customer} % 20 = 1)`;
/** A UUID out of text, the same each time. */
export const uuidOf = (text: string): string => `md5(${text})::uuid`;
/** The beginning of the twelve months, and of the one that runs. */
export const since = "(date_trunc('month', now(), 'UTC') - interval '12 months')";
export const thisMonth = "date_trunc('month', now(), 'UTC')";
/** The time of one of a number of rows that are spread evenly, up to a minute ago. */
export const timeOf = (row: string, rows: number): string =>
  `(${since} + (now() - interval '1 minute' - ${since}) * (${row} / ${rows}::float8))`;

const names = "array['Anna','Bela','Carol','Dario','Elena','Farid','Greta','Hugo','Iris','Jonas']";
const surnames =
  "array['Adler','Bauer','Conti','Dietz','Eriksen','Fischer','Garcia','Huber','Ito','Jansen','Keller']";

/** Organisations with their agents, and customers. */
export const people: readonly SeedStep[] = [
  {
    name: "organisations",
    sql: () => `
      insert into organizations (name) values ('Big');
      insert into organizations (name) select 'Small ' || i from generate_series(1, 100) as i order by i;
      insert into agents (org_id, agent_id, external_id, name)
        select org_id, 'agent-' || i, 'agent-' || i, 'Agent ' || i from organizations, generate_series(1, 5) as i;
      insert into indicators (org_id, agent_id, name)
        select org_id, agent_id, indicator from agents, unnest(array['message', 'tokens']) as indicator;
      insert into currencies (org_id, currency) select org_id, unnest(array['credits', 'rare']) from organizations;
      insert into prices (org_id, agent_id, indicator, version, valid_from, billing, currency, price, model_prices)
        select org_id, agent_id, name, 1, 'epoch', 'CREDITS', 'credits', '{"perEvent":"1"}', '[]' from indicators;
      insert into api_keys (org_id, key_lookup, key_hash, name)
        select org_id, left(hash, 8), hash, 'bench'
          from organizations, lateral (select encode(sha256(('bench-key-' || org_id)::bytea), 'hex') as hash) as key`,
  },
  {
    name: "customers",
    sql: ({ customers }) => `
      insert into customers (org_id, external_id, name, email, country, created_at)
        select ${organizationOf("i")}, ${customerIdOf("i")}, given || ' ' || family,
               lower(given) || '.' || i || '@example.com', 'CH', ${timeOf("i", customers)}
          from generate_series(1, ${customers}) as i,
               lateral (select (${names})[1 + i % 10] as given, (${surnames})[1 + i % 11] as family) as named`,
  },
];
