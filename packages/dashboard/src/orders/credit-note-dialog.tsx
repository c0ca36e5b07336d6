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
import { Field, ReasonField } from "../parts/field.tsx";
import { ActionDialog, Effect, EffectPlace, ViewDialog } from "../parts/form-dialog.tsx";
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
  return (
    <ViewDialog title={`Credit ${invoiceName(invoice)}`} action="Issue credit note" isReady={false}>
      <EffectPlace error={error ?? notes.error} isLoaded={false} />
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
      action={isAmount && amount > 0 ? `Credit ${formatMoney(amount, currency)}` : "Issue credit note"}
      isDanger
      isReady={isFine && isSomething && reason.trim() !== ""}
      failure="The credit note could not be confirmed."
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
      onDone={(note) => notify(`${note.number} issued`, `It credits ${name}.`)}
    >
      {hasMoney && (
        <Field
          label="Refund amount"
          name="amount"
          value={amountText}
          onChange={setAmountText}
          unit={currency}
          isNumber
          autoFocus
          error={isAmount ? undefined : `Enter at most ${formatMoney(rest.amount, currency)}`}
          hint={`${formatMoney(rest.amount, currency)} can be refunded.`}
        />
      )}
      {asked.map(({ currency: key, micro, atMost }) => (
        <Field
          key={key}
          label={order === undefined ? `Billed credits, ${key}` : `Credits to remove, ${key}`}
          name={`credits-${key}`}
          value={texts[key] ?? ""}
          onChange={(text) => setTexts((before) => ({ ...before, [key]: text }))}
          unit="credits"
          isNumber
          error={micro === undefined ? `Enter at most ${formatCredits(atMost)} credits` : undefined}
          hint={
            order === undefined
              ? "Stated on the credit note. No wallet changes."
              : `${formatCredits(atMost)} can be removed. Used credits stay.`
          }
        />
      ))}
      <ReasonField name="reason" value={reason} onChange={setReason} autoFocus={!hasMoney} />
      <Effect rows={order === undefined ? [] : takeBackRows(benefits, customer.wallets)}>
        <p>
          {isAmount && amount > 0
            ? `Refund ${formatMoney(amount, currency)} to ${customer.name} by the original payment method. `
            : "No money is refunded. "}
          {order === undefined
            ? "No wallet changes. "
            : benefits.length === 0
              ? "No credits are removed. "
              : `${creditsOf(benefits, formatCredits)} leave the wallet immediately. `}
          {name} stays paid
          {order !== undefined && `, and ${order.orderName} stays ${order.status}`}.
        </p>
        <p className="quiet">This cannot be undone.</p>
      </Effect>
    </ActionDialog>
  );
}
