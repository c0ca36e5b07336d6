-- Triggers that keep rows as they were written.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;

-- Rows are stored only for customers, indicators and wallets that exist, and none of these is ever deleted or renamed.
-- A trigger refuses that: a foreign key would look each one up again, and lock it, for each row.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception '% keeps its rows and their keys', tg_table_name;
end
$$;

create function refuse_revival() returns trigger language plpgsql as $$
begin
  raise exception '% that is % stays so', tg_table_name, old.status;
end
$$;
