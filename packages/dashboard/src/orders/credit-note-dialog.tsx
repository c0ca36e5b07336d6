import type { AdminCreditNote, AdminInvoice } from "@creditgate/admin";
import { useState } from "react";
import { useIdempotencyKey } from "../api/edit.ts";
import { useAnswer, useOrganization } from "../api/query.ts";
import {
  formatCredits,
  formatMinor,
  formatMoney,
  fromMicro,
  parseCredits,
  parseMoney,
  toMicro,
} from "../parts/amounts.ts";
import { Failure } from "../parts/failure.tsx";
import { Field, ReasonField } from "../parts/field.tsx";
import { ActionDialog, Effect, ViewDialog } from "../parts/form-dialog.tsx";
import { invoiceName } from "../parts/links.tsx";
import { notify } from "../parts/toasts.tsx";
import { type Benefit, creditsOf, restOf, takeBackRows, unspentOf } from "./benefits.ts";
import { bookQueries, type InvoiceSubject, notesQuery, useInvoiceSubject } from "./queries.ts";

/** Takes back what was paid, in whole or in part. */
export function CreditNoteDialog({ invoice }: { invoice: AdminInvoice }) {
  const { subject, error } = useInvoiceSubject(invoice);
  const notes = useAnswer(notesQuery, invoice.invoiceId);
  if (subject !== undefined && notes.isSuccess) {
    return <Loaded invoice={invoice} subject={subject} notes={notes.data} />;
  }
  const failed = error ?? notes.error;
  return (
    <ViewDialog title={`Credit ${invoiceName(invoice)}`} action="Make the credit note" isReady={false}>
      {failed === null ? (
        <div className="bone block" />
      ) : (
        <Failure error={failed} what="The rest of the invoice could not be loaded." />
      )}
    </ViewDialog>
  );
}

function Loaded({
  invoice,
  subject: { order, customer },
  notes,
}: {
  invoice: AdminInvoice;
  subject: InvoiceSubject;
  notes: readonly AdminCreditNote[];
}) {
  const organization = useOrganization();
  const currency = invoice.currency ?? "";
  const rest = restOf(invoice, order, notes);
  const hasMoney = invoice.currency !== null && rest.amount > 0;
  /** Credits of an order leave a wallet, as far as they are there. Those of a period are in none. */
  const most = rest.benefits.map(({ currency: key, micro }) => {
    const wallet = customer.wallets.find((one) => one.creditCurrencyKey === key);
    const left = wallet === undefined ? 0n : unspentOf(wallet);
    return { currency: key, micro: order === undefined || micro < left ? micro : left };
  });
  const [amountText, setAmountText] = useState(() => (hasMoney ? formatMinor(rest.amount, currency) : ""));
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(most.map((one) => [one.currency, formatCredits(one.micro)])),
  );
  const [reason, setReason] = useState("");
  const idempotencyKey = useIdempotencyKey();
  const amount = hasMoney ? (amountText.trim() === "" ? 0 : parseMoney(amountText, currency)) : 0;
  const isAmount = amount !== undefined && amount <= rest.amount;
  const asked = most.map(({ currency: key, micro: atMost }) => {
    const text = texts[key] ?? "";
    const credits = text.trim() === "" ? 0 : parseCredits(text);
    const isFine = credits !== undefined && toMicro(credits) <= atMost;
    return { currency: key, micro: isFine ? toMicro(credits) : undefined, atMost };
  });
  const benefits: readonly Benefit[] = asked.flatMap(({ currency: key, micro }) =>
    micro === undefined || micro === 0n ? [] : [{ currency: key, micro }],
  );
  const isFine = isAmount && asked.every(({ micro }) => micro !== undefined);
  const isSomething = (amount ?? 0) > 0 || benefits.length > 0;
  const name = invoiceName(invoice);
  return (
    <ActionDialog
      title={`Credit ${name}`}
      action={isAmount && amount > 0 ? `Credit ${formatMoney(amount, currency)}` : "Make the credit note"}
      isDanger
      isReady={isFine && isSomething && reason.trim() !== ""}
      failure="The credit note is not confirmed."
      send={() =>
        organization.invoices.credit(
          invoice.invoiceId,
          {
            reason: reason.trim(),
            ...(amount === undefined || amount === 0 ? {} : { amount }),
            ...(benefits.length === 0
              ? {}
              : {
                  credits: benefits.map(({ currency: key, micro }) => ({
                    creditCurrencyKey: key,
                    credits: fromMicro(micro),
                  })),
                }),
          },
          { idempotencyKey },
        )
      }
      untrue={bookQueries}
      onDone={(note) => notify(`${note.number} is made`, `It credits ${name}.`)}
    >
      {hasMoney && (
        <Field
          label="Money to pay back"
          name="amount"
          value={amountText}
          onChange={setAmountText}
          unit={currency}
          isNumber
          autoFocus
          error={isAmount ? undefined : `An amount of at most ${formatMoney(rest.amount, currency)}`}
          hint={`${formatMoney(rest.amount, currency)} of the invoice is left.`}
        />
      )}
      {asked.map(({ currency: key, micro, atMost }) => (
        <Field
          key={key}
          label={order === undefined ? `Credits billed, ${key}` : `Credits to take back, ${key}`}
          name={`credits-${key}`}
          value={texts[key] ?? ""}
          onChange={(text) => setTexts((before) => ({ ...before, [key]: text }))}
          unit="credits"
          isNumber
          error={micro === undefined ? `An amount of at most ${formatCredits(atMost)} credits` : undefined}
          hint={
            order === undefined
              ? "What the note says of them: they are in no wallet."
              : `${formatCredits(atMost)} can be taken: what is used is not taken back.`
          }
        />
      ))}
      <ReasonField name="reason" value={reason} onChange={setReason} autoFocus={!hasMoney} />
      <Effect rows={order === undefined ? [] : takeBackRows(benefits, customer.wallets)}>
        <p>
          {isAmount && amount > 0
            ? `You owe ${customer.name} ${formatMoney(amount, currency)}: pay it back where it was paid. `
            : "No money is owed. "}
          {order === undefined
            ? "No wallet changes. "
            : benefits.length === 0
              ? "No credits are taken back. "
              : `${creditsOf(benefits, formatCredits)} leave the wallet at once. `}
          {name} stays paid
          {order !== undefined && `, and ${order.orderName} stays ${order.status}`}.
        </p>
        <p className="quiet">It cannot be undone.</p>
      </Effect>
    </ActionDialog>
  );
}
