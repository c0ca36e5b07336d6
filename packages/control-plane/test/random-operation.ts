import type { CreditNoteCreateRequest, OrganizationAdmin } from "@creditgate/admin";
import { type Client, isCreditgateError } from "@creditgate/client";
import type { Pool } from "pg";
import type { Random } from "./random.ts";

export const names = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"] as const;

/**
 * What each customer should be left with, in whole credits: prepaid what is available less the overage, postpaid what is on
 * the bill and on its invoices, and what was used in the currency whose wallets are opened later.
 */
export interface Books {
  readonly prepaid: Map<string, number>;
  readonly postpaid: Map<string, number>;
  readonly late: Map<string, number>;
  /** Grants whose period was ended early, with the last entry before that, and when they were to expire till then. */
  readonly shortened: Map<string, { readonly entry: bigint; readonly expiresAt: Date }>;
  /** Reports that were accepted. */
  reports: number;
  /** How often each operation was done, and what it came to. */
  readonly done: Map<string, number>;
}

export function emptyBooks(): Books {
  const zeros = () => new Map<string, number>(names.map((name) => [name, 0]));
  return {
    prepaid: zeros(),
    postpaid: zeros(),
    late: zeros(),
    shortened: new Map(),
    reports: 0,
    done: new Map(),
  };
}

/** A worker, with the invoices that it has made. */
export interface Worker {
  readonly client: Client;
  readonly admin: OrganizationAdmin;
  readonly random: Random;
  readonly books: Books;
  readonly seed: number;
  readonly pool: Pool;
  readonly unpaid: Invoice[];
  readonly paid: Invoice[];
}

interface Invoice {
  readonly customer: string;
  readonly orderId: string;
  readonly invoiceId: string;
  /** Credits that come with it, but for those that recur. */
  readonly credits: number;
}

/** The credits and the fee of each order. */
const benefit = 7;
const fee = 5;

const currencies = ["ai_credits", "voice_credits", "late_credits"] as const;
const reason = "random";
const budgetKeys = ["member:1", "member:2", "team:1"] as const;

/** The HTTP status of a call; what fails otherwise is thrown. */
async function statusOf(promise: Promise<unknown>): Promise<number> {
  return promise.then(
    () => 200,
    (error: unknown) => {
      if (isCreditgateError(error) && error.status !== undefined && error.status < 500) return error.status;
      throw error;
    },
  );
}

function add(ledger: Map<string, number>, customer: string, credits: number): void {
  ledger.set(customer, (ledger.get(customer) ?? 0) + credits);
}

function firstOf<Item>([first]: readonly Item[]): Item {
  if (first === undefined) throw new Error("There is always one.");
  return first;
}

const key = () => ({ idempotencyKey: crypto.randomUUID() });

type Operation = (worker: Worker, customer: string, credits: number) => Promise<string | number | undefined>;

/** Tells how often it is chosen, and what it should come to. */
const operations: Readonly<Record<string, readonly [weight: number, operation: Operation]>> = {
  topUp: [
    10,
    async ({ client, books }, customer_id, credits) => {
      const top_ups = [{ credit_currency_key: "ai_credits", credits }];
      await client.wallets.topUp({ customer_id, top_ups }, key());
      add(books.prepaid, customer_id, credits);
      return undefined;
    },
  ],
  order: [
    10,
    async ({ admin, books, random, unpaid, paid }, customer) => {
      const isPaid = random.integer(3) === 0;
      const terms = random.pick([
        ...[{}, {}, { expiresInDays: 1 }, { every: "day", rollover: 3 }],
        { every: "month" },
      ] as const);
      const credits = "every" in terms ? 0 : benefit;
      const size = "every" in terms ? 1 + random.integer(2 * benefit) : benefit;
      const order = {
        customerExternalId: customer,
        orderName: "Plan",
        startDate: "2026-01-01",
        lineItems: [
          {
            agentId: "chat",
            platformFee: { amount: fee, currency: "EUR" },
            creditBenefits: [{ credit_currency_key: "ai_credits", credits: size, ...terms }],
          },
        ],
        paid: isPaid,
      };
      const { orderId, invoices } = await admin.orders.create(order, key());
      (isPaid ? paid : unpaid).push({ customer, orderId, invoiceId: invoices[0]?.invoiceId ?? "", credits });
      if (isPaid) add(books.prepaid, customer, credits);
      return isPaid ? "paid" : "open";
    },
  ],
  // Twice at once: paid once.
  pay: [
    8,
    async ({ client, books, unpaid, paid }) => {
      const invoice = unpaid.pop();
      if (invoice === undefined) return undefined;
      const { invoiceId, customer, credits } = invoice;
      await Promise.all([client.invoices.markPaid(invoiceId), client.invoices.markPaid(invoiceId)]);
      paid.push(invoice);
      add(books.prepaid, customer, credits);
      return "paid";
    },
  ],
  void: [
    6,
    async ({ admin, random, unpaid }) => {
      const invoice = unpaid.pop();
      if (invoice === undefined) return undefined;
      const { invoiceId, orderId } = invoice;
      if (random.integer(2) === 0) await admin.orders.cancel(orderId, { reason });
      else await admin.invoices.void(invoiceId, { reason });
      return "void";
    },
  ],
  // A payment, a void and a cancellation at once: one of them is refused.
  payOrVoid: [
    6,
    async ({ client, admin, books, random, unpaid, paid }) => {
      const invoice = unpaid.pop();
      if (invoice === undefined) return undefined;
      const { invoiceId, orderId, customer, credits } = invoice;
      const calls = [
        () => statusOf(admin.invoices.void(invoiceId, { reason })),
        () => statusOf(admin.orders.cancel(orderId, { reason })),
        () => statusOf(client.invoices.markPaid(invoiceId)),
      ];
      const first = random.integer(3);
      const statuses = await Promise.all([0, 1, 2].map((turn) => calls[(first + turn) % 3]?.()));
      const statusBy = (which: number) => statuses[(which - first + 3) % 3];
      const outcome = [0, 1, 2].map(statusBy).join();
      if (outcome !== "409,409,200" && outcome !== "200,200,409")
        throw new Error(`paid and void: ${outcome}`);
      if (statusBy(2) !== 200) return "void";
      paid.push(invoice);
      add(books.prepaid, customer, credits);
      return "paid";
    },
  ],
  creditNote: [
    10,
    async ({ admin, books, random, paid }) => {
      if (paid.length === 0) return undefined;
      const { invoiceId, customer } = paid[random.integer(paid.length)] ?? {};
      if (invoiceId === undefined || customer === undefined) return undefined;
      const credits = 1 + random.integer(benefit);
      const taken = [{ creditCurrencyKey: "ai_credits", credits }];
      const notes: readonly [CreditNoteCreateRequest, ...CreditNoteCreateRequest[]] = [
        { amount: 1, credits: taken, reason },
        { credits: taken, reason },
        { amount: 1 + random.integer(fee), reason },
      ];
      const note = random.pick(notes);
      const once = key();
      // Twice with one key: credited once.
      const [status, again] = await Promise.all([
        statusOf(admin.invoices.credit(invoiceId, note, once)),
        statusOf(admin.invoices.credit(invoiceId, note, once)),
      ]);
      const credited = status === 200 || again === 200;
      if (credited && note.credits !== undefined) add(books.prepaid, customer, -credits);
      return credited ? "credited" : Math.max(status, again);
    },
  ],
  correct: [
    10,
    async ({ admin, books, random }, customerId, credits) => {
      const amount = random.pick([credits, -credits]);
      const adjustment = { customerId, creditCurrencyKey: "ai_credits", credits: amount, reason };
      await admin.wallets.correct(adjustment, key());
      add(books.prepaid, customerId, amount);
      return undefined;
    },
  ],
  // Some begin later, some expire while the others go on, some are taken back.
  grant: [
    12,
    async ({ admin, books, random }, customerId, credits) => {
      const at = (ms: number) => new Date(Date.now() + ms).toISOString();
      const request = {
        customerId,
        creditCurrencyKey: "ai_credits",
        credits,
        source: random.pick(["promotion", "purchase"] as const),
        priority: random.pick([10, 50, 60]),
        ...(random.integer(4) === 0 ? { effectiveAt: at(1_000) } : {}),
        ...(random.integer(4) === 0 ? {} : { expiresAt: at(1_500 + random.integer(3_000)) }),
        reason,
      };
      // Twice with one key: granted once. A request that waits for a second comes after these instants.
      const once = key();
      const granting = Promise.all([admin.grants.create(request, once), admin.grants.create(request, once)]);
      const grants = await granting.catch((error: unknown) => {
        const code = isCreditgateError(error) ? error.problem?.code : undefined;
        if (code === "grant_out_of_time" || code === "customer_erased") return code;
        throw error;
      });
      if (typeof grants === "string") return grants;
      const [{ grantId }] = grants;
      add(books.prepaid, customerId, credits);
      if (random.integer(6) > 0) return "made";
      return `void ${await statusOf(admin.grants.void(grantId, { reason }))}`;
    },
  ],
  // Its credits are in the wallet's grants: the test counts them there.
  allowance: [
    12,
    async ({ admin, random }, customerId, credits) => {
      const of = { customerId, creditCurrencyKey: "ai_credits", reason };
      const { allowances } = await admin.allowances.list({ customerId });
      const open = allowances.filter(({ nextAt }) => nextAt !== null);
      const one = open[random.integer(open.length + 2)];
      if (one === undefined) {
        const source = random.pick(["promotion", "purchase"] as const);
        const terms = { credits, source, rollover: random.integer(6), priority: random.pick([10, 50]) };
        const every = random.pick(["day", "week", "month"] as const);
        return `made ${await statusOf(admin.allowances.create({ ...of, ...terms, every }, key()))}`;
      }
      const { allowanceId, grantId } = one;
      const change = { credits: 1 + random.integer(15), rollover: random.integer(6), reason };
      const [name, call] = random.pick([
        ["changed", () => admin.allowances.change(allowanceId, change)],
        ["changed", () => admin.allowances.change(allowanceId, change)],
        ["changed", () => admin.allowances.change(allowanceId, change)],
        ["ended", () => admin.allowances.end(allowanceId, { reason })],
        ["void", () => admin.grants.void(grantId, { reason })],
      ] as const);
      return `${name} ${await statusOf(call())}`;
    },
  ],
  // As if a period of an allowance had gone by.
  endPeriod: [12, async (worker, customer) => ((await endPeriod(worker, customer)) ? "some" : "none")],
  bill: [
    6,
    async ({ admin, books }, customerId, credits) => {
      const adjustment = { customerId, creditCurrencyKey: "voice_credits", credits: -credits, reason };
      await admin.wallets.correct(adjustment, key());
      add(books.postpaid, customerId, credits);
      return undefined;
    },
  ],
  closePeriods: [3, async ({ admin }) => void (await admin.closePeriods({ early: true }))],
  // Others may pay or void the same one at once.
  endPeriodInvoice: [
    8,
    async ({ admin, random }) => {
      const { invoices } = await admin.invoices.list({ type: "period", status: "open", limit: 5 });
      const [invoice] = invoices.slice(random.integer(invoices.length + 1));
      if (invoice === undefined) return undefined;
      const { invoiceId } = invoice;
      if (random.integer(3) === 0) {
        const status = await statusOf(admin.invoices.markPaid(invoiceId));
        if (status !== 200 || random.integer(2) === 0) return `paid ${status}`;
        return `credited ${await statusOf(admin.invoices.credit(invoiceId, { reason }, key()))}`;
      }
      const usage = random.pick(["rebilled", "forgiven"] as const);
      return `${usage} ${await statusOf(admin.invoices.void(invoiceId, { reason, usage }))}`;
    },
  ],
  setPrice: [
    4,
    async ({ admin, random }) => {
      const price = { perEvent: 1 + random.integer(3), perThousandInputTokens: 1000 };
      const indicator = random.pick(currencies);
      await admin.indicators.setPrice("chat", indicator, { billing: "CREDITS", currency: indicator, price });
      return undefined;
    },
  ],
  // Of two: an erased customer takes no budgets.
  erase: [
    2,
    async ({ admin, random }) => void (await admin.customers.erase(random.pick([names[6], names[7]]))),
  ],
  openWallet: [
    2,
    async ({ admin, random, pool }, customer) => {
      if (random.integer(4) > 0) return undefined;
      if (random.integer(2) === 0) {
        const wallet = { kind: "prepaid", creditCurrencyKey: "late_credits" } as const;
        return statusOf(admin.wallets.create(customer, wallet));
      }
      // Without a note of it, so that what waits for it is not taken up.
      await pool.query(
        "insert into wallets (org_id, customer_id, currency, kind) select org_id, external_id, 'late_credits', 'prepaid' from customers where external_id = $1 on conflict do nothing",
        [customer],
      );
      return "unnoted";
    },
  ],
  // As if its settlement had failed.
  spoil: [
    3,
    async ({ pool }) => {
      const { rowCount } = await pool.query(
        "update usage_due set message = 'spoilt', failed_at = '2100-01-01' where ctid = any(array(select ctid from usage_due where failed_at is null limit 3 for update skip locked))",
      );
      return rowCount === 0 ? "none" : "some";
    },
  ],
  resettle: [
    4,
    async ({ admin, random }, customerId) => {
      const cause = random.pick([undefined, "failed", "wallet_missing"] as const);
      const { resettled } = await admin.unbilled.resettle({ customerId, reason, cause });
      return resettled > 0 ? "some" : "none";
    },
  ],
  budget: [
    12,
    async ({ admin, random }, customer, limit) => {
      const key = random.pick([...budgetKeys, "member:*"] as const);
      const of = [customer, random.pick(currencies), key] as const;
      const every = random.pick(["hour", "day", "month", null] as const);
      const [name, call] = random.pick([
        ["set", () => admin.budgets.set(...of, { limit, every })],
        ["set", () => admin.budgets.set(...of, { limit, every })],
        ["get", () => admin.budgets.get(...of)],
        ["reset", () => admin.budgets.reset(...of)],
        ["delete", () => admin.budgets.delete(...of)],
        ["set for all", () => admin.budgets.defaults.set(of[1], "member:*", { limit, every })],
        ["delete for all", () => admin.budgets.defaults.delete(of[1], "member:*")],
      ] as const);
      return `${name} ${await statusOf(call())}`;
    },
  ],
  ask: [
    4,
    async ({ client }, customer) => void (await client.customers.subscription(customer, { agentId: "chat" })),
  ],
  report: [
    40,
    async ({ client, random, books, seed }, customerId, inputTokens) => {
      const indicator = random.pick(currencies);
      const keys = budgetKeys.filter(() => random.integer(3) === 0);
      // Some are of a gate that has been told of a period before, or of the next one.
      const period = new Date(Date.now() + (random.integer(5) - 2) * 60 * 60 * 1_000).toISOString();
      const budgets = keys.map((key) => (random.integer(2) === 0 ? { key } : { key, period }));
      const report = { agentId: "chat", customerId, indicator, rawUsage: { inputTokens }, budgets };
      const options = { idempotencyKey: `${seed}-${books.reports++}` };
      // A third of the reports is sent twice.
      const copies = random.integer(3) === 0 ? 2 : 1;
      const receipts = await Promise.all(
        Array.from({ length: copies }, () => client.usage.report(report, options)),
      );
      const { credits } = firstOf(receipts).body as { readonly credits: number };
      if (indicator === "ai_credits") add(books.prepaid, customerId, -credits);
      else add(indicator === "late_credits" ? books.late : books.postpaid, customerId, credits);
      return undefined;
    },
  ],
};

/** Ends the present period of one of a customer's allowances now; resolves whether there is one. */
async function endPeriod({ pool, books }: Worker, customer: string): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const of = "where customer_id = $1 and currency = 'ai_credits'";
    const wallets = await client.query<{ entry: bigint }>(
      `select last_entry as entry from wallets ${of} for no key update`,
      [customer],
    );
    const { rows } = await client.query<{ grant_id: string; at: Date }>(
      `update allowances set next_at = greatest(period + interval '1 ms', date_trunc('milliseconds', now()))
        where allowance_id = (select allowance_id from allowances ${of} and next_at > now() order by random() limit 1)
       returning grant_id, next_at as at`,
      [customer],
    );
    const [ended] = rows;
    if (ended !== undefined) {
      const expiry = 'select expires_at as "expiresAt" from grants where grant_id = $1';
      const grants = await client.query<{ expiresAt: Date }>(expiry, [ended.grant_id]);
      books.shortened.set(ended.grant_id, { ...firstOf(wallets.rows), ...firstOf(grants.rows) });
      const expire =
        "update grants set expires_at = greatest(effective_at + interval '1 ms', $2) where grant_id = $1";
      await client.query(expire, [ended.grant_id, ended.at]);
      await client.query(`update wallets set grants_at = least(grants_at, $2) ${of}`, [customer, ended.at]);
    }
    await client.query("commit");
    return ended !== undefined;
  } finally {
    client.release();
  }
}

const choices = Object.entries(operations).flatMap(([name, [weight, operation]]) =>
  Array.from({ length: weight }, () => ({ name, operation })),
);

/** Does one thing that the service can be asked for, and notes what it should come to. */
export async function operate(worker: Worker): Promise<void> {
  const { random, books } = worker;
  const choice = choices[random.integer(choices.length)];
  if (choice === undefined) throw new Error("There is always a choice.");
  const outcome = await choice.operation(worker, random.pick(names), 1 + random.integer(9));
  const name = outcome === undefined ? choice.name : `${choice.name}: ${outcome}`;
  books.done.set(name, (books.done.get(name) ?? 0) + 1);
}
