import type { CustomerFilter } from "@creditgate/admin";
import type { Endpoint } from "@creditgate/client";
import { type Selectable, sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import { autoTopUpColumns } from "../auto-top-up/settings.ts";
import { searchedFor } from "../customers/search.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { groupRows } from "../database/group-rows.ts";
import type { Tables } from "../database/tables.ts";
import { answer, type Call } from "../endpoint/call.ts";
import { Problem, unknown } from "../http/problem.ts";
import { createKeyset, listHandler, type RecordList, readPart } from "../lists/keyset.ts";
import { endAllowancesOfErased } from "../wallets/allowances.ts";
import { takeBack } from "../wallets/grants.ts";
import { lockWallets, post } from "../wallets/ledger.ts";
import { auditEdit, editable, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";
import { readWallets, type WalletRecord } from "./wallet-record.ts";

type Customer = Omit<Selectable<Tables["customers"]>, "org_id">;

const columns = [
  ...(["external_id", "name", "email", "country", "city", "address", "tax_id", "locale"] as const),
  ...(["created_at", "erased_at"] as const),
] as const;

/** The columns of the file of customers. */
export const customerColumns: readonly string[] = [
  ...["externalId", "name", "email", "country", "city", "createdAt", "erasedAt", "addressLines", "taxId"],
  "locale",
];

const byId = createKeyset("asc", [["external_id", "text"]]);

/** Customers with their wallets: found, made, edited, and freed of what is personal. */
export function customerHandlers(database: Database) {
  return {
    customerList: listHandler("customers", listCustomers),

    async customerCreate({ orgId, actor, at, body }) {
      const { externalId, name, email = null, country = null, city = null } = body;
      const { taxId = null, locale = null } = body;
      const customer = await database.transaction().execute(async (transaction) => {
        const created = await transaction
          .insertInto("customers")
          .values({
            ...{ org_id: orgId, external_id: externalId, name, email, country, city, created_at: at },
            ...{ address: addressOf(body.addressLines), tax_id: taxId, locale },
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning(columns)
          .executeTakeFirst();
        if (created === undefined) {
          const detail = `externalId: expected one that no customer has, received ${JSON.stringify(externalId)}`;
          throw new Problem(409, "customer_exists", detail);
        }
        await audit(transaction, { orgId, actor, action: "customer.create", subject: externalId }, at);
        return record(created);
      });
      return answer(201, customer);
    },

    async customerRead(call) {
      const key = keyOf(call);
      const customer = await selectCustomer(database, key).executeTakeFirst();
      return answer(200, await described(database, key, customer));
    },

    async customerEdit(call) {
      const { etag: _, ...changes } = call.body;
      const key = keyOf(call);
      const customer = await database.transaction().execute(async (transaction) => {
        const before = await selectCustomer(transaction, key).forNoKeyUpdate().executeTakeFirst();
        const current = await described(transaction, key, before);
        const fields = Object.entries(changes).flatMap(([field, value]) =>
          value === undefined ? [] : [field],
        );
        if (before === undefined || fields.length === 0) return current;
        const { name = before.name, email = before.email } = changes;
        const { country = before.country, city = before.city } = changes;
        const { taxId: tax_id = before.tax_id, locale = before.locale, addressLines } = changes;
        const address = addressLines === undefined ? before.address : addressOf(addressLines);
        // Something is known of it again.
        const next = { name, email, country, city, address, tax_id, locale, erased_at: null };
        await updateCustomer(transaction, key, next);
        // Which fields, not what was in them: the log is for ever, and these may have to be erased.
        const change = { orgId: key.orgId, subject: key.externalId, after: { changed: fields } };
        await auditEdit(transaction, call, { action: "customer.edit", current, ...change });
        return described(transaction, key, { ...before, ...next });
      });
      return answer(200, customer);
    },

    async customerErase(call) {
      const { actor, at } = call;
      const key = keyOf(call);
      const customer = await database.transaction().execute(async (transaction) => {
        const before = await selectCustomer(transaction, key).forNoKeyUpdate().executeTakeFirst();
        if (before === undefined) return described(transaction, key, before);
        // Again where it is erased: someone may have written a reason since.
        await sql`select erase_reasons(${key.orgId}, ${key.externalId})`.execute(transaction);
        if (before.erased_at !== null) return described(transaction, key, before);
        const nothing = { email: null, country: null, city: null, address: null, tax_id: null, locale: null };
        const next = { name: "erased", ...nothing, erased_at: at };
        await updateCustomer(transaction, key, next);
        await endTerms(transaction, key, at);
        await transaction
          .deleteFrom("budgets")
          .where("org_id", "=", key.orgId)
          .where("customer_id", "=", key.externalId)
          .execute();
        const change = { subject: key.externalId, after: { changed: editable["customer.edit"] } };
        await audit(transaction, { orgId: key.orgId, actor, action: "customer.erase", ...change }, at);
        return described(transaction, key, { ...before, ...next });
      });
      return answer(200, customer);
    },
  } satisfies Partial<AdminHandlers>;
}

/** The customers with their wallets, by ID. */
export const listCustomers: RecordList<CustomerFilter> = async (database, { orgId, query }, part) => {
  const { search } = query;
  let selection = database.selectFrom("customers").select(columns).where("org_id", "=", orgId);
  if (search !== undefined) selection = selection.where(await searchedFor(database, orgId, search, part));
  const { rows, next } = await readPart(selection, byId, part);
  const ids = rows.map(({ external_id: id }) => id);
  const wallets = groupRows(await readWallets(database, orgId, ids), ({ customerId }) => customerId);
  return { records: rows.map((customer) => record(customer, wallets.get(customer.external_id))), next };
};

interface CustomerKey {
  readonly orgId: bigint;
  readonly externalId: string;
}

function keyOf({
  orgId,
  params: { externalId },
}: Pick<Call<Endpoint<unknown, unknown, "externalId">>, "orgId" | "params">): CustomerKey {
  return { orgId, externalId };
}

function selectCustomer(database: Pick<Database, "selectFrom">, { orgId, externalId }: CustomerKey) {
  return database
    .selectFrom("customers")
    .select(columns)
    .where("org_id", "=", orgId)
    .where("external_id", "=", externalId);
}

async function updateCustomer(
  transaction: DatabaseTransaction,
  { orgId, externalId }: CustomerKey,
  next: Omit<Customer, "external_id" | "created_at">,
): Promise<void> {
  await transaction
    .updateTable("customers")
    .set(next)
    .where("org_id", "=", orgId)
    .where("external_id", "=", externalId)
    .execute();
}

/** Nothing is ordered for one who has been erased, and no grant and no period begins. */
async function endTerms(
  transaction: DatabaseTransaction,
  { orgId, externalId }: CustomerKey,
  at: Date,
): Promise<void> {
  const currencies = await transaction
    .selectFrom("wallets")
    .select("currency")
    .where("org_id", "=", orgId)
    .where("customer_id", "=", externalId)
    .execute();
  const keys = currencies.map(({ currency }) => ({ orgId, customerId: externalId, currency }));
  const wallets = await lockWallets(transaction, keys);
  await transaction
    .updateTable("wallets")
    .set(autoTopUpColumns(null))
    .where("org_id", "=", orgId)
    .where("customer_id", "=", externalId)
    .execute();
  await endAllowancesOfErased(transaction, orgId, externalId);
  for (const wallet of wallets)
    for (const grant of wallet.grants) if (grant.state === "scheduled") takeBack(wallet, grant, 0n);
  await post(transaction, wallets, [], at);
}

/** The customer with its wallets; a 404 where there is none. */
async function described(
  database: Pick<Database, "selectFrom">,
  { orgId, externalId }: CustomerKey,
  customer: Customer | undefined,
): Promise<TaggedRecord> {
  if (customer === undefined) throw unknown("customer", externalId);
  return record(customer, await readWallets(database, orgId, [externalId]));
}

function record(
  {
    external_id: externalId,
    name,
    email,
    country,
    city,
    address,
    tax_id,
    locale,
    created_at,
    erased_at,
  }: Customer,
  wallets: readonly WalletRecord[] = [],
): TaggedRecord {
  return tagged("customer.edit", {
    externalId,
    name,
    email,
    country,
    city,
    addressLines: address ?? [],
    taxId: tax_id,
    locale,
    createdAt: created_at.toISOString(),
    erasedAt: erased_at?.toISOString() ?? null,
    wallets,
  });
}

/** No line is no address. */
function addressOf(lines: readonly string[] | null | undefined): string[] | null {
  return lines === null || lines === undefined || lines.length === 0 ? null : [...lines];
}
