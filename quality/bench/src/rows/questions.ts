/** What a question is about, another one each time. */
export interface Subject {
  readonly customer: string;
  /** Hours ago, up to a year. */
  readonly hoursAgo: number;
  readonly order: string;
  readonly invoice: string;
  readonly usage: string;
}

const own = "/admin/api/organizations/1";
const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
const dayAgo = (hours: number): string => `${ago(hours).slice(0, 10)}T00:00:00Z`;
const year = `from=${dayAgo(365 * 24)}&to=${dayAgo(0)}`;
/** Spans that end somewhere in the year. */
const days = (hours: number, length: number): string =>
  `from=${dayAgo(hours + length * 24)}&to=${dayAgo(hours)}`;

/** The `next` of a part that ended with a customer. */
const cursorAfter = (customer: string): string =>
  Buffer.from(JSON.stringify([customer])).toString("base64url");

type Question = (subject: Subject) => string;

/** Every list and every sum of the admin API and of the public one, by each of the filters that they have. */
export const questions: Readonly<Record<string, Question>> = {
  organisations: () => "/admin/api/organizations",
  "API keys": () => `${own}/api-keys`,
  currencies: () => `${own}/currencies`,
  agents: () => `${own}/agents`,
  indicators: () => `${own}/agents/agent-1/indicators`,
  prices: () => `${own}/agents/agent-1/indicators/message/prices`,
  customers: () => `${own}/customers`,
  "customers by ID": ({ customer }) => `${own}/customers?search=${customer}`,
  "customers by a name": () => `${own}/customers?search=bela`,
  "customers by two words": () => `${own}/customers?search=bela%20kel`,
  "customers by a letter": () => `${own}/customers?search=b`,
  "customers by what nobody has": () => `${own}/customers?search=bela%20zzz`,
  "a customer": ({ customer }) => `${own}/customers/${customer}`,
  wallets: () => `${own}/wallets`,
  "wallets of a customer": ({ customer }) => `${own}/wallets?customerId=${customer}`,
  "wallets in a currency": () => `${own}/wallets?creditCurrencyKey=credits`,
  "wallets in a currency, none": () => `${own}/wallets?creditCurrencyKey=rare`,
  "wallets, postpaid": () => `${own}/wallets?kind=postpaid`,
  "wallets, exhausted": () => `${own}/wallets?state=exhausted`,
  "wallets, postpaid and exhausted": () => `${own}/wallets?kind=postpaid&state=exhausted`,
  usage: () => `${own}/usage`,
  "usage up to a time": ({ hoursAgo }) => `${own}/usage?to=${ago(hoursAgo)}`,
  "usage, 100": ({ hoursAgo }) => `${own}/usage?limit=100&to=${ago(hoursAgo)}`,
  "usage of a customer": ({ customer }) => `${own}/usage?customerId=${customer}`,
  "usage of an agent": ({ hoursAgo }) => `${own}/usage?agentId=agent-2&to=${ago(hoursAgo)}`,
  "usage of an indicator": ({ hoursAgo }) =>
    `${own}/usage?agentId=agent-2&indicator=tokens&to=${ago(hoursAgo)}`,
  "usage of a customer and an agent": ({ customer }) => `${own}/usage?customerId=${customer}&agentId=agent-2`,
  "usage without a wallet": () => `${own}/usage?outcome=wallet_missing`,
  "usage, out of range": () => `${own}/usage?outcome=out_of_range`,
  "usage, unsettled": () => `${own}/usage?outcome=unsettled`,
  "usage without a wallet, of an agent": () => `${own}/usage?outcome=wallet_missing&agentId=agent-2`,
  "usage without a wallet, of a customer": ({ customer }) =>
    `${own}/usage?outcome=wallet_missing&customerId=${customer}`,
  "a report": ({ usage }) => `${own}/usage/${usage}`,
  "a report by a key that nobody has": ({ usage }) => `${own}/usage?idempotencyKey=${usage}`,
  "sums by hour, a day": ({ hoursAgo }) => `${own}/usage-sums?by=hour&${days(hoursAgo, 1)}`,
  "sums by hour, a month": ({ hoursAgo }) => `${own}/usage-sums?by=hour&limit=1000&${days(hoursAgo, 31)}`,
  "sums by hour of a customer, a month": ({ customer, hoursAgo }) =>
    `${own}/usage-sums?by=hour&customerId=${customer}&${days(hoursAgo, 31)}`,
  "sums by hour of an agent, a month": ({ hoursAgo }) =>
    `${own}/usage-sums?by=hour&agentId=agent-3&${days(hoursAgo, 31)}`,
  "sums by day": () => `${own}/usage-sums?by=day`,
  "sums by day, a year": () => `${own}/usage-sums?by=day&limit=1000&${year}`,
  "sums by day of a customer, a year": ({ customer }) =>
    `${own}/usage-sums?by=day&customerId=${customer}&${year}`,
  "sums by day of an indicator, a year": () =>
    `${own}/usage-sums?by=day&agentId=agent-2&indicator=tokens&${year}`,
  "sums by agent, a year": () => `${own}/usage-sums?by=agent&${year}`,
  "sums by agent of a customer, a year": ({ customer }) =>
    `${own}/usage-sums?by=agent&customerId=${customer}&${year}`,
  "sums by indicator, a year": () => `${own}/usage-sums?by=indicator&${year}`,
  "sums by customer, 30 days": () => `${own}/usage-sums?by=customer`,
  "sums by customer, a year": () => `${own}/usage-sums?by=customer&limit=1000&${year}`,
  "sums by customer, a year, from the middle": ({ customer }) =>
    `${own}/usage-sums?by=customer&limit=1000&${year}&cursor=${cursorAfter(customer)}`,
  "sums by customer, 30 days, 1000": () => `${own}/usage-sums?by=customer&limit=1000`,
  "sums by customer of an agent, a year": () =>
    `${own}/usage-sums?by=customer&limit=1000&agentId=agent-3&${year}`,
  "sums by customer of an indicator, a year": () =>
    `${own}/usage-sums?by=customer&limit=1000&agentId=agent-2&indicator=tokens&${year}`,
  "sums by customer, a day": ({ hoursAgo }) => `${own}/usage-sums?by=customer&${days(hoursAgo, 1)}`,
  "sums by customer of an indicator, 30 days": () =>
    `${own}/usage-sums?by=customer&agentId=agent-2&indicator=tokens`,
  "sums by customer in a rare currency, a year": () =>
    `${own}/usage-sums?by=customer&creditCurrencyKey=rare&${year}`,
  ledger: () => `${own}/ledger`,
  "ledger up to a time": ({ hoursAgo }) => `${own}/ledger?to=${ago(hoursAgo)}`,
  "ledger of a customer": ({ customer }) => `${own}/ledger?customerId=${customer}`,
  "ledger of a wallet": ({ customer }) => `${own}/ledger?customerId=${customer}&creditCurrencyKey=credits`,
  "ledger of a currency that is rare": () => `${own}/ledger?creditCurrencyKey=rare`,
  "ledger by cause": () => `${own}/ledger?cause=period`,
  "ledger by a cause that is rare": () => `${own}/ledger?cause=refund`,
  "ledger of a customer by cause": ({ customer }) => `${own}/ledger?customerId=${customer}&cause=opening`,
  "audit log": () => "/admin/api/audit",
  "audit log of an organisation": () => "/admin/api/audit?organizationId=1",
  "audit log by action": () => "/admin/api/audit?organizationId=1&action=api_key.create",
  "audit log of all by a rare action": () => "/admin/api/audit?action=customer.erase",
  orders: () => `${own}/orders`,
  "orders of a customer": ({ customer }) => `${own}/orders?customerId=${customer}`,
  "orders, pending": () => `${own}/orders?status=pending`,
  "orders, replacements": () => `${own}/orders?type=replacement`,
  "orders, pending replacements": () => `${own}/orders?type=replacement&status=pending`,
  "an order": ({ order }) => `${own}/orders/${order}`,
  invoices: () => `${own}/invoices`,
  "invoices of a customer": ({ customer }) => `${own}/invoices?customerId=${customer}`,
  "invoices, open": () => `${own}/invoices?status=open`,
  "invoices of periods": () => `${own}/invoices?type=period`,
  "invoices of orders, open": () => `${own}/invoices?type=order&status=open`,
  "invoices, void": () => `${own}/invoices?status=void`,
  "an invoice": ({ invoice }) => `${own}/invoices/${invoice}`,
  "credit notes": () => `${own}/credit-notes`,
  "credit notes of a customer": ({ customer }) => `${own}/credit-notes?customerId=${customer}`,
  "credit notes of an invoice": ({ invoice }) => `${own}/credit-notes?invoiceId=${invoice}`,
  "usage that is not billed": () => `${own}/unbilled-usage`,
  "usage that is not billed, of a customer": ({ customer }) => `${own}/unbilled-usage?customerId=${customer}`,
  "usage that is not billed, out of range": () => `${own}/unbilled-usage?reason=out_of_range`,
  "period failures": () => `${own}/period-failures`,
  "settlement failures": () => `${own}/settlement-failures`,
  "voice sessions": () => `${own}/voice-sessions`,
  "voice sessions of a customer": ({ customer }) => `${own}/voice-sessions?customerId=${customer}`,
  "webhook endpoints": () => `${own}/webhook-endpoints`,
  "webhook deliveries": () => `${own}/webhook-deliveries`,
  "webhook deliveries of a customer": ({ customer }) => `${own}/webhook-deliveries?customerId=${customer}`,
  "webhook deliveries, given up": () => `${own}/webhook-deliveries?status=given_up`,
  "API: balance": ({ customer }) => `/api/v1/wallet/balance?customer_id=${customer}`,
  "API: subscription": ({ customer }) =>
    `/api/v1/customers/by-external-id/${customer}/subscription?agentId=agent-1`,
  "API: orders of a customer": ({ customer }) => `/api/v1/customers/by-external-id/${customer}/orders`,
  "API: invoices of a customer": ({ customer }) => `/api/v1/customers/by-external-id/${customer}/invoices`,
  "API: invoices of an order": ({ order }) => `/api/v1/orders/${order}/invoices`,
  "API: agents": () => "/api/v1/agents",
};
