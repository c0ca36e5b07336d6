import type { CreditNoteFilter } from "@creditgate/admin";
import { audit } from "../audit/audit-log.ts";
import { answer } from "../endpoint/call.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";
import { createKeyset, during, listHandler, type RecordList, readPart } from "../lists/keyset.ts";
import { formatCredits, maxCredits, microCredits } from "../money/decimal.ts";
import { type CreditReceipt, creditInvoice } from "../orders/credit-note.ts";
import { creditNoteRecord, selectCreditNotes } from "../orders/credit-note-record.ts";
import type { Credit } from "../wallets/top-up.ts";
import type { AdminHandlers } from "./table.ts";

const newest = createKeyset("desc", [
  ["created_at", "timestamptz"],
  ["credit_note_id", "uuid"],
]);

/** The credit notes, the newest first. */
export const listCreditNotes: RecordList<CreditNoteFilter> = async (database, { orgId, query }, part) => {
  const { customerId, invoiceId } = query;
  let selection = selectCreditNotes(database, orgId).where(during("created_at", query));
  if (customerId !== undefined) selection = selection.where("customer_id", "=", customerId);
  if (invoiceId !== undefined) selection = selection.where("invoice_id", "=", invoiceId);
  const { rows, next } = await readPart(selection, newest, part);
  return { records: rows.map(creditNoteRecord), next };
};

/** What of paid invoices customers need not have paid. */
export const creditNoteHandlers: Pick<AdminHandlers, "creditNoteCreate" | "creditNoteList"> = {
  async creditNoteCreate({ orgId, actor, at, params: { invoiceId }, body, once }) {
    if (!isUuid(invoiceId)) throw unknown("invoice", invoiceId);
    const { reason } = body;
    const amount = body.amount === undefined ? undefined : BigInt(body.amount);
    const credits = body.credits?.map(creditOf);
    return once(async (transaction) => {
      const receipt = await creditInvoice(transaction, { orgId, invoiceId, amount, credits, reason }, at);
      if (!receipt.credited) throw refusal(receipt, invoiceId);
      const { note, before, after } = receipt;
      const change = {
        before: { creditedAmount: Number(before) },
        after: { creditedAmount: Number(after), note },
      };
      await audit(transaction, { orgId, actor, action: "invoice.credit", subject: invoiceId, ...change }, at);
      return answer(201, note);
    });
  },

  creditNoteList: listHandler("creditNotes", listCreditNotes),
};

function creditOf(
  { creditCurrencyKey, credits }: { readonly creditCurrencyKey: string; readonly credits: number },
  index: number,
): Credit {
  const amount = credits > maxCredits ? undefined : microCredits(credits);
  if (amount !== undefined) return { currency: creditCurrencyKey, amount };
  const detail = `expected at most ${maxCredits} credits with at most 6 decimals, received ${credits}`;
  throw invalid([{ pointer: `/credits/${index}/credits`, detail }]);
}

function refusal(receipt: CreditReceipt & { readonly credited: false }, invoiceId: string): Problem {
  switch (receipt.reason) {
    case "invoice_unknown":
      return unknown("invoice", invoiceId);
    case "not_paid":
      return new Problem(
        409,
        "invoice_not_paid",
        `invoice: expected one that is paid, received one that is ${receipt.status}${receipt.status === "open" ? ": void it" : ""}`,
      );
    case "nothing_left":
      return new Problem(
        422,
        "nothing_left",
        "expected an invoice with something left to credit, received none",
      );
    case "amount_above_invoice":
      return new Problem(
        422,
        receipt.reason,
        `amount: expected at most ${receipt.left}, which the invoice has left, received more`,
      );
    case "credits_above_invoice":
      return new Problem(
        422,
        receipt.reason,
        `credits: expected at most ${formatCredits(receipt.left)} in ${JSON.stringify(receipt.currency)}, which the invoice has left, received more`,
      );
    case "credits_used":
      return new Problem(
        422,
        receipt.reason,
        `credits: expected at most ${formatCredits(receipt.left)} in ${JSON.stringify(receipt.currency)}, which the wallet has left, received more: what has been used cannot be taken back. Name the amount and the credits of a part of the invoice`,
      );
  }
}
