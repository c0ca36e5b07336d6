import type { AdminCustomer } from "@creditgate/admin";
import { Button } from "react-aria-components";
import { useDraft, useIdempotencyKey } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { customerQueries } from "../customers/queries.ts";
import { topUpRows } from "../customers/wallet.ts";
import { textOf } from "../parts/address.ts";
import { formatCount, formatCredits, parseCredits, toMicro } from "../parts/amounts.ts";
import { amountAbove0, Choice, Field, ReasonField } from "../parts/field.tsx";
import { ActionDialog, Effect } from "../parts/form-dialog.tsx";
import { notify } from "../parts/toasts.tsx";

const presets = [1_000, 5_000, 20_000];

/** Adds credits to a prepaid wallet, and shows before what that does. */
export function TopUpDialog({
  customer,
  initial,
}: {
  customer: AdminCustomer;
  /** The currency of the wallet to begin with. */
  initial: string | undefined;
}) {
  const organization = useOrganization();
  const idempotencyKey = useIdempotencyKey();
  const keysOf = (kind: string) =>
    customer.wallets.filter((one) => one.kind === kind).map((one) => one.creditCurrencyKey);
  const [prepaid, postpaid] = [keysOf("prepaid"), keysOf("postpaid")];
  const { values, set, bind } = useDraft({
    currency: prepaid.find((key) => key === initial) ?? prepaid[0] ?? "",
    credits: "",
    reason: "",
  });
  const wallet = customer.wallets.find(
    ({ kind, creditCurrencyKey }) => kind === "prepaid" && creditCurrencyKey === values.currency,
  );
  const credits = parseCredits(values.credits) ?? 0;
  const isAmount = credits > 0;
  const hasOverage = wallet !== undefined && wallet.overageUsed > 0;
  return (
    <ActionDialog
      title={`Top up ${customer.name}`}
      action={isAmount ? `Top up ${formatCredits(credits)} credits` : "Top up"}
      isReady={isAmount && wallet !== undefined}
      failure="The top-up is not confirmed."
      send={() =>
        organization.wallets.topUp(
          {
            customer_id: customer.externalId,
            top_ups: [{ credit_currency_key: values.currency, credits }],
            ...textOf("reason", values.reason.trim()),
          },
          { idempotencyKey },
        )
      }
      untrue={customerQueries}
      onDone={({ results: [result] }) =>
        notify(
          `${formatCredits(credits)} credits added`,
          `${customer.name} now has ${formatCredits(result?.available ?? 0)} ${values.currency}.`,
        )
      }
    >
      <Choice
        {...bind("currency")}
        label="Wallet"
        options={prepaid.map((key) => ({ value: key, label: `${key}, prepaid` }))}
        hint={
          postpaid.length === 0
            ? undefined
            : `${postpaid.join(", ")}: postpaid, invoiced instead of topped up.`
        }
      />
      <div className="section tight">
        <Field
          {...bind("credits")}
          label="Credits"
          unit="credits"
          isNumber
          isBig
          autoFocus
          error={values.credits === "" || isAmount ? undefined : `${amountAbove0}, such as 5,000.00`}
        />
        <div className="presets">
          {presets.map((preset) => (
            <Button key={preset} className="btn sm" onPress={() => set({ credits: formatCredits(preset) })}>
              {formatCount(preset)}
            </Button>
          ))}
        </div>
      </div>
      <ReasonField
        {...bind("reason")}
        label="Reason (optional)"
        hint="Recorded in the audit log, such as how it was paid."
      />
      {wallet !== undefined && (
        <Effect rows={topUpRows(wallet, toMicro(credits))}>
          <p className="quiet">
            {hasOverage ? "The overage is cleared first. " : ""}No invoice is issued. The top-up is recorded
            in the audit log and cannot be undone; a correction is a separate entry.
          </p>
        </Effect>
      )}
    </ActionDialog>
  );
}
