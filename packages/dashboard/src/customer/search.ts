/** The parts of a customer's page beside the statement, which is shown without one. */
export const customerParts = {
  usage: "Usage",
  credits: "Expiring and recurring",
  budgets: "Budgets",
  orders: "Orders and invoices",
  voice: "Voice sessions",
} as const;

export interface CustomerSearch {
  /** The currency of the wallet whose statement and usage are shown. */
  wallet?: string;
  show?: keyof typeof customerParts;
}
