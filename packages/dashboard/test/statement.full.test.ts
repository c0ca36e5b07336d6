import type { AdminLedgerEntry, AdminWallet } from "@creditgate/admin";
import { describe, expect, it } from "vitest";
import { createStatement } from "../src/customer/statement.ts";
import { toMicro } from "../src/parts/amounts.ts";

const nothing = { available: 0, pending: 0, overageUsed: 0, postpaidUsed: 0 };
const wallet = { kind: "prepaid", ...nothing, available: 90 } as AdminWallet;

/** An entry by which `available` changed, and what was available after it. */
function entry(available: number, after: number): AdminLedgerEntry {
  const ids = { usageId: null, topUpId: null, invoiceId: null, creditNoteId: null, grantId: null };
  return {
    ...{ entryNo: 1, customerId: "dovetail", creditCurrencyKey: "ai_credits", cause: "top_up" },
    ...{ ...ids, reason: null, ...nothing, available, createdAt: "2026-11-01T00:00:00Z" },
    after: { ...nothing, available: after },
  };
}

describe("a statement", () => {
  it("adds up from its first entry to the newest", () => {
    const statement = createStatement(wallet, [entry(-10, 90), entry(100, 100)]);
    expect(statement).toMatchObject({ addsUp: true, opening: { balance: 0n } });
    expect(statement.closing.balance).toBe(toMicro(90));
    expect(statement.lines.map(({ balance }) => balance)).toEqual([toMicro(90), toMicro(100)]);
  });

  it("begins with what was carried where older months are in the archive", () => {
    const statement = createStatement(wallet, [entry(-10, 90), entry(60, 100)]);
    expect(statement).toMatchObject({ addsUp: true, opening: { balance: toMicro(40) }, change: toMicro(50) });
  });

  it("is of the moment of its entries, where the wallet has changed since", () => {
    const statement = createStatement({ ...wallet, available: 70 }, [entry(-10, 90), entry(100, 100)]);
    expect(statement).toMatchObject({ addsUp: true, closing: { balance: toMicro(90) } });
  });

  it("sums up usage exactly beyond 2^53 micro-credits", () => {
    const most = 999_999_999.999999;
    const used = Array.from({ length: 11 }, () => ({ ...entry(-most, 0), cause: "usage" }));
    const { lines } = createStatement({ ...wallet, available: 0 }, used);
    expect(lines.map(({ entries, change }) => [entries, change])).toEqual([[11, -10_999_999_999_999_989n]]);
  });

  it("does not add up where an entry is missing between two others", () => {
    expect(createStatement(wallet, [entry(-5, 90), entry(100, 100)]).addsUp).toBe(false);
  });
});
