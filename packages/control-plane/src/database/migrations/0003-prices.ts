import type { Migration } from "../migration.ts";

export const prices: Migration = {
  version: 3,
  name: "prices",
  sql: `
-- How an indicator bills, from some instant on. A version is never changed; the next one takes its place.
create table prices (
  org_id       bigint not null,
  agent_id     text not null,
  indicator    text not null,
  version      integer not null check (version > 0),
  valid_from   timestamptz not null,
  billing      text not null,
  currency     text,
  -- Rates in credits as decimal text, by component.
  price        jsonb not null,
  -- A list of provider, model, plan (or none), price.
  model_prices jsonb not null,
  primary key (org_id, agent_id, indicator, version),
  foreign key (org_id, agent_id, indicator) references indicators,
  check (billing <> 'CREDITS' or currency is not null)
);
insert into prices (org_id, agent_id, indicator, version, valid_from, billing, currency, price, model_prices)
  select org_id, agent_id, name, 1, 'epoch', billing, currency,
         jsonb_build_object('perEvent', per_event::text,
                            'perThousandInputTokens', per_thousand_input_tokens::text,
                            'perThousandOutputTokens', per_thousand_output_tokens::text),
         '[]'
    from indicators;

drop trigger indicators_name_currency on indicators;
create trigger prices_name_currency before insert on prices
  for each row execute function name_currency();
create trigger prices_append_only before update or delete or truncate on prices
  for each statement execute function refuse_change();

alter table indicators
  drop column billing,
  drop column currency,
  drop column per_event,
  drop column per_thousand_input_tokens,
  drop column per_thousand_output_tokens;
`,
};
