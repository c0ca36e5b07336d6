import type { AdminCustomer, AdminWalletKind } from "@creditgate/client/admin";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { Choice } from "../parts/choice.tsx";
import { formatCredits, parseCredits } from "../parts/credits.ts";
import { Effect } from "../parts/effect.tsx";
import { Failure } from "../parts/failure.tsx";
import { Field } from "../parts/field.tsx";
import { startKeys } from "./queries.ts";

/** Makes a customer with a wallet, or a wallet for the one that there is. */
export function CustomerStep({
  customer,
  initialCurrency,
}: {
  readonly customer: AdminCustomer | undefined;
  readonly initialCurrency: string;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [name, setName] = useState(customer?.name ?? "First customer");
  const [externalId, setExternalId] = useState(customer?.externalId ?? "first-customer");
  const [kind, setKind] = useState<AdminWalletKind>("postpaid");
  const [currency, setCurrency] = useState(initialCurrency);
  const [text, setText] = useState("1,000");
  // Sent again after a lost answer, the credits are added once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  // The wallet that is there already, where only the credits for it failed: the form stays, and says so.
  const opened = useRef<string>(undefined);
  const credits = parseCredits(text);
  const create = useChange({
    async change(amount: number) {
      const organization = admin.organization(organizationId);
      const customer_id = externalId.trim();
      const credit_currency_key = currency.trim();
      const wallet = JSON.stringify([customer_id, credit_currency_key]);
      if (opened.current !== wallet) {
        try {
          if (customer === undefined) {
            await organization.customers.create({ externalId: customer_id, name: name.trim() });
          }
          await organization.currencies.set({ credit_currency_key });
          await organization.wallets.create(
            customer_id,
            kind === "postpaid"
              ? { kind, credit_currency_key, postpaid_limit: amount }
              : { kind, credit_currency_key, overage_limit: 0 },
          );
        } catch (error) {
          // A part of it may have been made: the step goes on from there.
          void queryClient.invalidateQueries({ queryKey: ["start", organizationId] });
          throw error;
        }
        opened.current = wallet;
      }
      if (kind === "prepaid" && amount > 0) {
        const top_ups = [{ credit_currency_key, credits: amount }];
        await organization.wallets.topUp({ customer_id, top_ups }, { idempotencyKey });
      }
    },
    untrue: startKeys(organizationId),
  });
  const isReady =
    credits !== undefined && name.trim() !== "" && externalId.trim() !== "" && currency.trim() !== "";
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isReady && !create.isPending) create.mutate(credits);
  }
  return (
    <form className="section step-form" onSubmit={submit} noValidate>
      {customer === undefined ? (
        <div className="fields">
          <Field label="Name" name="name" value={name} onChange={setName} maxLength={200} />
          <Field
            label="ID"
            name="external-id"
            value={externalId}
            onChange={setExternalId}
            isCode
            maxLength={200}
          />
        </div>
      ) : (
        <p className="small">
          <b>{customer.name}</b> <code>{customer.externalId}</code> has no wallet yet.
        </p>
      )}
      <Choice<AdminWalletKind>
        label="Wallet"
        value={kind}
        onChange={setKind}
        options={[
          { value: "postpaid", label: "Postpaid: invoiced at the end of a period" },
          { value: "prepaid", label: "Prepaid: paid for in advance" },
        ]}
      />
      <div className="fields">
        <Field
          label="Currency"
          name="currency"
          value={currency}
          onChange={setCurrency}
          isCode
          maxLength={200}
        />
        <Field
          label={kind === "postpaid" ? "Limit of a period" : "Credits to begin with"}
          name="credits"
          value={text}
          onChange={setText}
          unit="credits"
          isNumber
          error={credits === undefined ? "An amount from 0, with at most 6 decimals" : undefined}
        />
      </div>
      <Effect>
        <p>
          {credits === undefined
            ? "Nothing yet: an amount is missing."
            : kind === "postpaid"
              ? credits === 0
                ? "The customer can use any amount: 0 is no limit. What was used is invoiced when a period ends."
                : `The customer can use ${formatCredits(credits)} credits in a period; then requests are denied. What was used is invoiced.`
              : `The wallet gets ${formatCredits(credits)} credits, without an invoice. Requests are denied when they are used up.`}
        </p>
      </Effect>
      {create.isError && <Failure error={create.error} what="Not all of it was made." />}
      <div>
        <Button className="btn primary" type="submit" isDisabled={!isReady} isPending={create.isPending}>
          {customer === undefined ? "Create the customer" : "Open the wallet"}
        </Button>
      </div>
    </form>
  );
}
