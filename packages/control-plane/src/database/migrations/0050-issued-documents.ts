import type { Migration } from "../migration.ts";

/**
 * What an invoice and a credit note say is written down as they are numbered: who issues them, to whom, and what of the amount
 * is tax. By triggers, since replicas of the version before make documents too, and with the rights of the owner, since
 * their role has none on what is new.
 */
export const issuedDocuments: Migration = {
  version: 50,
  name: "issued-documents",
  sql: `
-- Who issues documents, from an instant on. A version is never changed; the next one takes its place. A tax has a name and
-- a rate in basis points, as [{ "name": "VAT", "basisPoints": 1900 }]; amounts contain it.
create table issuers (
  org_id        bigint not null references organizations,
  version       integer not null check (version > 0),
  valid_from    timestamptz not null,
  legal_name    text not null,
  address       text[] not null,
  tax_id        text,
  taxes         jsonb not null check (jsonb_typeof(taxes) = 'array'),
  footer        text,
  payment_terms text,
  -- In which the days of its documents are.
  time_zone     text not null,
  set_by        text not null,
  primary key (org_id, version)
);
create trigger issuers_append_only before update or delete or truncate on issuers
  for each statement execute function refuse_change();

-- A null is an address that is not known. A replica of the version before erases them too.
alter table customers
  add column address text[],
  add column tax_id  text;
create function erase_address() returns trigger language plpgsql as $$
begin
  new.address := null;
  new.tax_id := null;
  return new;
end
$$;
create trigger customers_erase_address before update of erased_at on customers
  for each row when (new.erased_at is not null) execute function erase_address();

-- An invoice from before has none of these.
alter table invoices
  add column issuer_version integer,
  -- The customer as it was: name, addressLines, city, country, taxId. It stays when the customer is erased.
  add column bill_to        jsonb,
  -- What its agents and its credits were called, by their keys.
  add column names          jsonb,
  -- The spans of a period that had a price each: since, credits (micro), unitAmount, amount (minor units).
  add column parts          jsonb,
  -- Those of the issuer, each with its amount in minor units as text; tax_amount is their sum, and a part of the amount.
  add column taxes          jsonb,
  add column tax_amount     bigint;
alter table invoices
  add constraint invoices_issuer foreign key (org_id, issuer_version) references issuers not valid,
  add constraint invoices_taxes check (
    (taxes is null) = (tax_amount is null) and (tax_amount is null or tax_amount between 0 and amount)) not valid;
alter table credit_notes
  add column issuer_version integer,
  add column taxes          jsonb,
  add column tax_amount     bigint;
alter table credit_notes
  add constraint credit_notes_issuer foreign key (org_id, issuer_version) references issuers not valid,
  add constraint credit_notes_taxes check (
    (taxes is null) = (tax_amount is null) and (tax_amount is null or tax_amount between 0 and amount)) not valid;

-- A part of a whole number of units, half a unit rounded up.
create function share_of(whole numeric, part numeric, of numeric) returns numeric language sql immutable as $$
  select case when of = 0 then 0 else div(2 * whole * part + of, 2 * of) end
$$;

-- The tax that an amount contains is amount * rates / (10000 + rates). It is rounded once, and divided among the taxes in
-- their order, so that they sum up to it.
create function taxes_of(amount bigint, taxes jsonb) returns jsonb language sql immutable as $$
  with listed as (
         select position, tax, (tax ->> 'basisPoints')::numeric as rate,
                sum((tax ->> 'basisPoints')::numeric) over (order by position) as up_to,
                sum((tax ->> 'basisPoints')::numeric) over () as rates
           from jsonb_array_elements(taxes) with ordinality as line (tax, position)),
       contained as (select *, share_of(amount, rates, 10000 + rates) as total from listed)
  select coalesce(jsonb_agg(tax || jsonb_build_object('amount',
           (share_of(total, up_to, rates) - share_of(total, up_to - rate, rates))::text) order by position), '[]')
    from contained
$$;
create function sum_of_taxes(taxes jsonb) returns bigint language sql immutable as $$
  select coalesce(sum((tax ->> 'amount')::bigint), 0)::bigint from jsonb_array_elements(taxes) as line (tax)
$$;

create function issue_invoice() returns trigger language plpgsql security definer set search_path from current as $$
declare
  issuer   issuers;
  customer customers;
  agents   jsonb;
  credits  jsonb;
begin
  select * into customer from customers where org_id = new.org_id and external_id = new.customer_id;
  new.bill_to := jsonb_build_object('name', customer.name, 'addressLines', coalesce(to_jsonb(customer.address), '[]'),
                                    'city', customer.city, 'country', customer.country, 'taxId', customer.tax_id);
  if new.kind = 'order' then
    select jsonb_object_agg(agent.agent_id, agent.name) into agents
      from order_line_items as item join agents as agent on (agent.org_id, agent.agent_id) = (item.org_id, item.agent_id)
     where item.org_id = new.org_id and item.order_id = new.order_id;
    select jsonb_object_agg(currency.currency, currency.name) into credits
      from credit_benefits as benefit
      join currencies as currency on (currency.org_id, currency.currency) = (benefit.org_id, benefit.currency)
     where benefit.org_id = new.org_id and benefit.order_id = new.order_id and currency.name is not null;
  else
    select jsonb_build_object(currency, name) into credits
      from currencies where org_id = new.org_id and currency = new.credit_currency and name is not null;
  end if;
  new.names := jsonb_build_object('agents', coalesce(agents, '{}'), 'currencies', coalesce(credits, '{}'));
  select * into issuer from issuers
   where org_id = new.org_id and valid_from <= new.created_at order by valid_from desc, version desc limit 1;
  new.issuer_version := issuer.version;
  if new.amount is not null and issuer.taxes is not null then
    new.taxes := taxes_of(new.amount, issuer.taxes);
    new.tax_amount := sum_of_taxes(new.taxes);
  end if;
  return new;
end
$$;

-- Of each tax of the invoice what is credited up to here, less what was before: together all notes credit what was paid.
create function issue_credit_note() returns trigger language plpgsql security definer set search_path from current as $$
declare
  credited record;
begin
  new.issuer_version := (select version from issuers where org_id = new.org_id and valid_from <= new.created_at
                          order by valid_from desc, version desc limit 1);
  select amount, credited_amount, taxes into credited
    from invoices where (org_id, invoice_id) = (new.org_id, new.invoice_id);
  if new.amount is not null and credited.taxes is not null then
    select coalesce(jsonb_agg(tax || jsonb_build_object('amount',
             (share_of((tax ->> 'amount')::numeric, credited.credited_amount + new.amount, credited.amount)
              - share_of((tax ->> 'amount')::numeric, credited.credited_amount, credited.amount))::text) order by position), '[]')
      into new.taxes
      from jsonb_array_elements(credited.taxes) with ordinality as line (tax, position);
    new.tax_amount := sum_of_taxes(new.taxes);
  end if;
  return new;
end
$$;

-- Named so that they are done before the number is taken, whose lock is the organisation's.
create trigger invoices_issue before insert on invoices for each row execute function issue_invoice();
create trigger credit_notes_issue before insert on credit_notes for each row execute function issue_credit_note();

-- What has been issued stays as it is: only its state moves on.
create trigger invoices_stay_issued
  before delete or truncate or update of org_id, invoice_id, customer_id, order_id, kind, amount, currency, credit_currency, credits,
         period_start, period_end, created_at, issuer_version, bill_to, names, parts, taxes, tax_amount
  on invoices for each statement execute function refuse_change();
`,
};
