import { minorDigits, type TrialBalance } from "@creditgate/admin";
import { keyOf } from "../parts/address.ts";
import { decimalOf, sumOf, toMicro } from "../parts/amounts.ts";

/** The sums of an account, or of all, as text. */
interface Sums {
  readonly debit: string;
  readonly credit: string;
  readonly balance: string;
}

/** The accounts of one currency, and what they come to. */
export interface CurrencyBalance {
  readonly currency: string;
  readonly accounts: readonly (Sums & { readonly account: string })[];
  readonly total: Sums;
  /** Whether what was posted to the debit is what was posted to the credit; of integers, so that nothing is rounded. */
  readonly addsUp: boolean;
}

interface Posted {
  readonly debit: bigint;
  readonly credit: bigint;
}

const microDigits = 6;

/** The accounts by currency, in the order of their names. */
export function balancesOf({ journal, accounts }: TrialBalance): readonly CurrencyBalance[] {
  const units = journal === "money" ? BigInt : toMicro;
  const currencies = [...new Set(accounts.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const own = accounts
      .filter((one) => one.currency === currency)
      .map(({ account, debit, credit }) => ({ account, debit: units(debit), credit: units(credit) }));
    const total = {
      debit: sumOf(own.map(({ debit }) => debit)),
      credit: sumOf(own.map(({ credit }) => credit)),
    };
    const scale = journal === "money" ? minorDigits(currency) : microDigits;
    const write = writer(scale, journal === "money" ? scale : decimalsOf(own));
    const sums = ({ debit, credit }: Posted): Sums => ({
      debit: write(debit),
      credit: write(credit),
      balance: write(debit - credit),
    });
    return {
      currency,
      accounts: own.map((posted) => ({ account: posted.account, ...sums(posted) })),
      total: sums(total),
      addsUp: total.debit === total.credit,
    };
  });
}

/** As many as the amounts of a column need, all the same: from 2 to 6. */
function decimalsOf(accounts: readonly Posted[]): number {
  const amounts = accounts.flatMap(({ debit, credit }) => [debit, credit]);
  const isEnough = (decimals: number) =>
    amounts.every((amount) => amount % 10n ** BigInt(microDigits - decimals) === 0n);
  return [2, 3, 4, 5].find(isEnough) ?? microDigits;
}

function writer(scale: number, decimals: number): (units: bigint) => string {
  const format = new Intl.NumberFormat("en", {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return (units) => format.format(decimalOf(units, scale)).replace("-", "−");
}

const accounts = {
  cash: "Invoices marked paid",
  payables: "Owed to customers by credit notes",
  receivables: "Owed by customers on invoices",
  revenue: "Invoiced, less taxes, voids and credit notes",
  carried: "Archived months",
  consumed: "Usage",
  corrected: "Corrections",
  credited: "Removed by credit notes",
  invoiced: "Invoiced postpaid usage",
  issued: "Top-ups and orders",
  opening: "Opening balances",
  refunded: "Refunds",
  voided: "Removed by voided invoices",
  "wallet:available": "Available to customers",
  "wallet:overage": "Overage used",
  "wallet:pending": "Pending payment of an invoice",
  "wallet:postpaid": "Postpaid usage, not invoiced yet",
} as const;

/** What is posted to an account, in a few words. */
export function accountWords(account: string): string | undefined {
  if (account.startsWith("tax:")) return "Tax on invoices";
  const known = keyOf(accounts, account);
  return known && accounts[known];
}
