import { heartbeatAnswer, walletBalance, walletBudget, walletTopUpAnswer } from "@creditgate/client";
import { z } from "zod";

const time = z.iso.datetime();
const uuid = z.uuid();

const agent = z.object({
  agentId: z.string(),
  agent_external_id: z.string(),
  agent_name: z.string(),
  agent_description: z.string().nullable(),
  agent_type: z.string().nullable(),
});

const rates = z
  .record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]))
  .describe("Credits, as decimal text, by what they are for; in `perUnit` by the names of units");

const indicator = z.object({
  name: z.string(),
  billing: z.string(),
  currency: z.string().nullable(),
  price: rates,
  modelPrices: z.array(
    z.object({ provider: z.string(), model: z.string(), plan: z.string().optional(), price: rates }),
  ),
});

const lineItem = z.object({
  agentId: z.string(),
  platformFee: z.object({ amount: z.int(), currency: z.string() }).nullable(),
  creditBenefits: z.array(
    z.object({
      credit_currency_key: z.string(),
      credits: z.number(),
      expiresInDays: z.int().optional(),
      every: z.enum(["day", "week", "month"]).optional(),
      rollover: z.number().optional(),
    }),
  ),
});

const order = z.object({
  orderId: uuid,
  customerExternalId: z.string(),
  orderName: z.string(),
  startDate: z.iso.date(),
  type: z.enum(["plan", "replacement"]),
  status: z.enum(["pending", "active", "superseded", "cancelled"]),
  supersededBy: uuid.nullable(),
  lineItems: z.array(lineItem),
  createdAt: time,
  activatedAt: time.nullable(),
  supersededAt: time.nullable(),
  cancelledAt: time.nullable(),
});

const invoice = z.object({
  invoiceId: uuid,
  number: z.string().describe("As INV-17"),
  customerExternalId: z.string(),
  orderId: uuid.nullable(),
  type: z.enum(["order", "period"]),
  status: z.enum(["open", "paid", "void"]),
  amount: z.int().nullable().describe("Minor units of the currency"),
  currency: z.string().nullable(),
  credit_currency_key: z.string().nullable(),
  credits: z.number().nullable(),
  periodStart: time.nullable(),
  periodEnd: time.nullable(),
  createdAt: time,
  paidAt: time.nullable(),
  voidedAt: time.nullable(),
  voidedUsage: z
    .enum(["rebilled", "forgiven"])
    .nullable()
    .describe("Whether what the void invoice of a period had billed is on the next one, or on none"),
  creditedAmount: z.int().describe("By credit notes, in minor units"),
  taxAmount: z.int().nullable().describe("What of the amount is tax, in minor units"),
  taxes: z
    .array(z.object({ name: z.string(), basisPoints: z.int(), amount: z.int() }))
    .nullable()
    .describe("What it is made of; null where no issuer was set when it was numbered"),
});

const next = z.string().nullable().describe("The cursor of the records after these; null at the end");

const usageReceipt = z.object({
  id: uuid,
  status: z.literal("accepted"),
  idempotencyKey: z.string().nullable(),
  credits: z.number().describe("What it costs, as stored at its acceptance; a repeated key gets the same"),
  currency: z.string().nullable().describe("Null where the indicator is not in CREDITS: it costs no credits"),
  budgets: z.array(z.string()).optional().describe("The keys of the budgets that it is stored with"),
});

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
});

/** The answers of the API. The spec shows two of them; the others are our choice. Only the documentation reads these. */
export const answers: Readonly<Record<string, z.ZodType>> = {
  WalletBalanceAnswer: z.object({
    balances: z.record(z.string(), walletBalance).describe("By credit currency key"),
  }),
  WalletBudgetsAnswer: z.object({
    balances: z.record(z.string(), walletBalance).describe("By credit currency key"),
    budgets: z
      .record(z.string(), z.record(z.string(), walletBudget))
      .describe("By credit currency key and key; one that does not exist is missing"),
  }),
  WalletTopUpAnswer: walletTopUpAnswer,
  UsageReceipt: usageReceipt,
  UsageBatchAnswer: z.object({
    results: z.array(
      z.object({
        key: z.string(),
        status: z.int().describe("As of a single post"),
        body: z.union([usageReceipt, problem]),
      }),
    ),
  }),
  Customer: z.object({
    externalId: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    country: z.string().nullable(),
    city: z.string().nullable(),
  }),
  Subscription: z.object({
    externalId: z.string(),
    agentId: z.string().nullable(),
    state: z.enum(["payment_due", "no_order", "exhausted", "active"]),
    recommendedAction: z.enum(["complete_payment", "create_order", "upgrade", "none"]),
    activeOrderId: uuid.nullable(),
    pendingOrderId: uuid.nullable(),
    openInvoiceIds: z.array(uuid),
  }),
  OrderList: z.object({ orders: z.array(order), next }),
  Order: order.extend({ invoices: z.array(invoice) }),
  InvoiceList: z.object({ invoices: z.array(invoice), next }),
  Invoice: invoice,
  AgentList: z.object({
    agents: z.array(agent.extend({ indicators: z.array(indicator) })),
    page: z.int(),
    limit: z.int(),
    total: z.int(),
  }),
  Agent: agent,
  VoiceSession: z.object({
    sessionId: z.string(),
    agentId: z.string(),
    customerId: z.string(),
    status: z.literal("open"),
  }),
  VoiceReceipt: z.object({ id: uuid, status: z.literal("accepted"), sessionId: z.string() }),
  VoiceIndicatorReceipt: z.object({
    id: uuid,
    status: z.literal("accepted"),
    sessionId: z.string(),
    indicator: z.string(),
  }),
  HeartbeatAnswer: heartbeatAnswer,
  Problem: problem,
};
