import type { WalletFilter } from "@creditgate/admin";
import { nearestName } from "@creditgate/client";
import { audit } from "../audit/audit-log.ts";
import { autoTopUpColumns } from "../auto-top-up/settings.ts";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import { writeEvents } from "../events/outbox.ts";
import { Problem, requireCustomer, unknown } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";
import { createKeyset, listHandler, type RecordList, readPart } from "../lists/keyset.ts";
import { checkedMicroCredits } from "../money/decimal.ts";
import { lockWallets } from "../wallets/ledger.ts";
import { openWallets } from "../wallets/opening.ts";
import { crossings } from "../wallets/wallet-events.ts";
import { auditEdit, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";
import { readWallets, selectWallets } from "./wallet-record.ts";

const byCustomer = createKeyset("asc", [
  ["customer_id", "text"],
  ["currency", "text"],
]);

/** The wallets, by customer and currency. */
export const listWallets: RecordList<WalletFilter> = async (database, { orgId, query }, part) => {
  const { customerId, creditCurrencyKey, kind, state } = query;
  let selection = selectWallets(database, orgId);
  if (customerId !== undefined) selection = selection.where("customer_id", "=", customerId);
  if (creditCurrencyKey !== undefined) selection = selection.where("currency", "=", creditCurrencyKey);
  if (kind !== undefined) selection = selection.where("kind", "=", kind);
  if (state !== undefined) selection = selection.where("state", "=", state);
  const { rows, next } = await readPart(selection, byCustomer, part);
  return { records: rows.map(({ place: _, ...wallet }) => tagged("wallet.limits", wallet)), next };
};

/** Wallets, which the public API cannot create, what they hold, and their limits. */
export function walletHandlers(database: Database) {
  return {
    walletList: listHandler("wallets", listWallets),

    async walletRead({ orgId, params: { externalId: customerId, creditCurrencyKey: currency } }) {
      await requireCustomer(database, orgId, customerId);
      const [wallet] = await readWallets(database, orgId, [customerId], currency);
      if (wallet === undefined) throw unknown("wallet", currency);
      return answer(200, wallet);
    },

    async walletCreate({ orgId, actor, at, params: { externalId: customerId }, body }) {
      const limit = checkedMicroCredits(
        body.kind === "prepaid" ? (body.overageLimit ?? 0) : body.postpaidLimit,
      );
      const wallet = await database.transaction().execute(async (transaction) => {
        await requireCustomer(transaction, orgId, customerId);
        const currency = body.creditCurrencyKey;
        await requireCurrency(transaction, orgId, currency);
        const opened = await openWallets(transaction, [{ orgId, customerId, currency }], at, {
          kind: body.kind,
          overageLimit: body.kind === "prepaid" ? limit : 0n,
          postpaidLimit: body.kind === "postpaid" ? limit : 0n,
        });
        if (opened === 0) {
          const detail = `creditCurrencyKey: expected one without a wallet, received ${JSON.stringify(currency)}`;
          throw new Problem(409, "wallet_exists", detail);
        }
        const [after = {}] = await readWallets(transaction, orgId, [customerId], currency);
        const who = { orgId, actor, subject: { customer: customerId, currency } };
        await audit(transaction, { ...who, action: "wallet.create", after }, at);
        return after;
      });
      return answer(201, wallet);
    },

    async walletLimits(call) {
      const { orgId, at, params, body } = call;
      const { externalId: customerId, creditCurrencyKey: currency } = params;
      const wallet = await database.transaction().execute(async (transaction) => {
        await requireCustomer(transaction, orgId, customerId);
        const [locked] = await lockWallets(transaction, [{ orgId, customerId, currency }]);
        if (locked === undefined) throw unknown("wallet", currency);
        const foreign = locked.kind === "prepaid" ? "postpaidLimit" : "overageLimit";
        if (body[foreign] !== undefined) {
          const detail = `expected none, since the wallet is ${locked.kind}, received ${body[foreign]}`;
          throw invalid([{ pointer: `/${foreign}`, detail }]);
        }
        if (locked.kind === "postpaid" && body.autoTopUp) {
          const detail = "expected none, since the wallet is postpaid, received one";
          throw invalid([{ pointer: "/autoTopUp", detail }]);
        }
        const [before] = await readWallets(transaction, orgId, [customerId], currency);
        const { overageLimit, postpaidLimit, lowThreshold, autoTopUp } = body;
        const next = {
          ...(overageLimit === undefined ? {} : { overage_limit: checkedMicroCredits(overageLimit) }),
          ...(postpaidLimit === undefined ? {} : { postpaid_limit: checkedMicroCredits(postpaidLimit) }),
          ...(lowThreshold === undefined
            ? {}
            : { low_threshold: lowThreshold === null ? null : checkedMicroCredits(lowThreshold) }),
          ...autoTopUpColumns(autoTopUp),
        };
        if (before === undefined || Object.keys(next).length === 0) return before ?? {};
        await transaction
          .updateTable("wallets")
          .set(next)
          .where("org_id", "=", orgId)
          .where("customer_id", "=", customerId)
          .where("currency", "=", currency)
          .execute();
        const [after = {}] = await readWallets(transaction, orgId, [customerId], currency);
        const moved = await lockWallets(transaction, [{ orgId, customerId, currency }]);
        await writeEvents(
          transaction,
          moved.flatMap((wallet) => crossings(locked, wallet)),
          at,
        );
        const change = { orgId, subject: { customer: customerId, currency }, before, after };
        await auditEdit(transaction, call, { action: "wallet.limits", current: before, ...change });
        return after;
      });
      return answer(200, wallet);
    },
  } satisfies Partial<AdminHandlers>;
}

const mostNamed = 20;
/** Beyond it a name that is misspelt gets no advice. */
const mostRead = 1_000;

/**
 * Throws a 422 that names those that the organisation has. A misspelt currency would make a wallet that no indicator
 * debits: a customer who pays into it is served for nothing.
 */
async function requireCurrency(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  currency: string,
): Promise<void> {
  const currencies = database.selectFrom("currencies").select("currency").where("org_id", "=", orgId);
  if ((await currencies.where("currency", "=", currency).executeTakeFirst()) !== undefined) return;
  const known = (await currencies.orderBy("currency").limit(mostRead).execute()).map((row) => row.currency);
  throw new Problem(422, "currency_unknown", detail(currency, known));
}

function detail(currency: string, known: readonly string[]): string {
  const near = nearestName(currency, known);
  const some = known.slice(0, mostNamed).map((name) => JSON.stringify(name));
  const has = `${some.join(", ") || "none"}${known.length > mostNamed ? ", …" : ""}`;
  const advice = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return (
    `creditCurrencyKey: expected one that exists, received ${JSON.stringify(currency)}${advice} ` +
    `(the organisation has ${has}; currencies.set() of the admin client makes one)`
  );
}
