import type { AdminCustomer, AdminWalletKind } from "@creditgate/admin";
import { useRef } from "react";
import { queryClient } from "../api/client.ts";
import { useChange, useDraft, useIdempotencyKey } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { walletKinds } from "../customers/wallet.ts";
import { formatCredits, parseCredits } from "../parts/amounts.ts";
import { amountFrom0, Choice, Field } from "../parts/field.tsx";
import { Effect } from "../parts/form-dialog.tsx";
import { startQueries } from "./queries.ts";
import { StepForm } from "./step-form.tsx";

/** Makes a customer with a wallet, or a wallet for the one that there is. */
export function CustomerStep({
  customer,
  initialCurrency,
}: {
  readonly customer: AdminCustomer | undefined;
  readonly initialCurrency: string;
}) {
  const organization = useOrganization();
  const idempotencyKey = useIdempotencyKey();
  const { values, bind } = useDraft({
    name: customer?.name ?? "First customer",
    externalId: customer?.externalId ?? "first-customer",
    kind: "prepaid" as AdminWalletKind,
    currency: initialCurrency,
    credits: "1,000",
  });
  const { kind } = values;
  const [name, customerId] = [values.name.trim(), values.externalId.trim()];
  const creditCurrencyKey = values.currency.trim();
  // The wallet that is there already, where only the credits for it failed: the form stays, and says so.
  const opened = useRef<string>(undefined);
  const credits = parseCredits(values.credits);
  const create = useChange({
    async change(amount: number) {
      const wallet = JSON.stringify([customerId, creditCurrencyKey]);
      if (opened.current !== wallet) {
        try {
          if (customer === undefined) {
            await organization.customers.create({ externalId: customerId, name });
          }
          await organization.currencies.set({ creditCurrencyKey });
          await organization.wallets.create(
            customerId,
            kind === "postpaid"
              ? { kind, creditCurrencyKey, postpaidLimit: amount }
              : { kind, creditCurrencyKey, overageLimit: 0 },
          );
        } catch (error) {
          // A part of it may have been made: the step goes on from there.
          void queryClient.invalidateQueries({ queryKey: ["start"] });
          throw error;
        }
        opened.current = wallet;
      }
      if (kind === "prepaid" && amount > 0) {
        const top_ups = [{ credit_currency_key: creditCurrencyKey, credits: amount }];
        await organization.wallets.topUp({ customer_id: customerId, top_ups }, { idempotencyKey });
      }
    },
    untrue: startQueries,
  });
  const isReady = credits !== undefined && [name, customerId, creditCurrencyKey].every((text) => text !== "");
  return (
    <StepForm
      action={customer === undefined ? "Create customer" : "Create wallet"}
      isReady={isReady}
      isPending={create.isPending}
      error={create.error}
      onSubmit={() => create.mutate(credits ?? 0)}
    >
      {customer === undefined ? (
        <div className="fields">
          <Field {...bind("name")} label="Name" maxLength={200} />
          <Field {...bind("externalId")} label="ID" isCode maxLength={200} />
        </div>
      ) : (
        <p className="small">
          <b>{customer.name}</b> <code>{customer.externalId}</code> has no wallet yet.
        </p>
      )}
      <Choice<AdminWalletKind> {...bind("kind")} label="Wallet" options={walletKinds} />
      <div className="fields">
        <Field {...bind("currency")} label="Currency" isCode maxLength={200} />
        <Field
          label={kind === "postpaid" ? "Limit per period" : "Starting credits"}
          {...bind("credits")}
          unit="credits"
          isNumber
          error={credits === undefined ? amountFrom0 : undefined}
        />
      </div>
      <Effect>
        <p>
          {credits === undefined
            ? "Enter an amount."
            : kind === "postpaid"
              ? credits === 0
                ? "The customer can use any amount: 0 means no limit. Usage is invoiced after each period."
                : `The customer can use ${formatCredits(credits)} credits per period; further requests are denied. Usage is invoiced after each period.`
              : `The wallet starts with ${formatCredits(credits)} credits, without an invoice. Requests are denied when they are used up.`}
        </p>
      </Effect>
    </StepForm>
  );
}
