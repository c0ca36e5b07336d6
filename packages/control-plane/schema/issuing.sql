-- What an invoice and a credit note say is written down by triggers as the document is inserted: who issues it, to whom,
-- what of the amount is tax, and its number.

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

-- The last number that was given, in each series of an organisation. Its row is locked until the document is committed: a
-- number that is rolled back is given to the next. A sequence would leave a gap there.
create table document_numbers (
  org_id bigint not null references organizations,
  series text not null check (series in ('invoice', 'credit_note')),
  last   bigint not null check (last > 0),
  primary key (org_id, series)
);
create function number_document() returns trigger language plpgsql as $$
begin
  insert into document_numbers as counter (org_id, series, last) values (new.org_id, tg_argv[0], 1)
      on conflict (org_id, series) do update set last = counter.last + 1
    returning last into new.number;
  return new;
end
$$;

-- In the order of their names: the number, whose lock is the organisation's, is taken last.
create trigger invoices_issue before insert on invoices for each row execute function issue_invoice();
create trigger invoices_number before insert on invoices for each row execute function number_document('invoice');
create trigger credit_notes_issue before insert on credit_notes for each row execute function issue_credit_note();
create trigger credit_notes_number before insert on credit_notes for each row execute function number_document('credit_note');
