import type { AdminCustomer, AdminWallet } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Choice } from "../parts/choice.tsx";
import { formatCount, formatCredits, parseCredits, toMicro } from "../parts/credits.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { ReasonField } from "../parts/reason-field.tsx";
import { tell } from "../parts/toasts.tsx";
import { customerKeys } from "./queries.ts";

const presets = [1_000, 5_000, 20_000];

/** Adds credits to a prepaid wallet, after it has said what that will do. */
export function TopUpDialog({
  customer,
  initial,
  onClose,
}: {
  readonly customer: AdminCustomer;
  /** The currency of the wallet to begin with. */
  readonly initial: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const prepaid = customer.wallets.filter(({ kind }) => kind === "prepaid");
  const postpaid = customer.wallets.filter(({ kind }) => kind === "postpaid");
  const [currency, setCurrency] = useState(
    prepaid.find((one) => one.credit_currency_key === initial)?.credit_currency_key ??
      prepaid[0]?.credit_currency_key ??
      "",
  );
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  // One for each opened dialog: pressed twice, or sent again after a lost answer, it happens once.
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const wallet = prepaid.find(({ credit_currency_key }) => credit_currency_key === currency);
  const credits = parseCredits(text);
  const isAmount = credits !== undefined && credits > 0;
  const topUp = useChange({
    change: (amount: number) =>
      admin.organization(organizationId).wallets.topUp(
        {
          customer_id: customer.externalId,
          top_ups: [{ credit_currency_key: currency, credits: amount }],
          ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
        },
        { idempotencyKey },
      ),
    untrue: customerKeys(organizationId, customer.externalId),
    onDone({ results }, amount) {
      const [result] = results;
      onClose();
      tell(
        `${formatCredits(amount)} credits added`,
        `${customer.name} now has ${formatCredits(result?.available ?? 0)} ${currency}.`,
      );
    },
  });
  return (
    <FormDialog
      title={`Top up ${customer.name}`}
      action={isAmount ? `Top up ${formatCredits(credits)} credits` : "Top up"}
      isReady={isAmount && wallet !== undefined}
      change={topUp}
      failure="The top-up is not confirmed."
      onSubmit={() => {
        if (isAmount) topUp.mutate(credits);
      }}
      onClose={onClose}
    >
      <Choice
        label="Wallet"
        value={currency}
        onChange={setCurrency}
        options={prepaid.map(({ credit_currency_key: key }) => ({ value: key, label: `${key}, prepaid` }))}
        hint={
          postpaid.length === 0
            ? undefined
            : `${postpaid.map((one) => one.credit_currency_key).join(", ")}: postpaid, which is invoiced and not topped up.`
        }
      />
      <div className="section tight">
        <Field
          label="Credits"
          name="credits"
          value={text}
          onChange={setText}
          unit="credits"
          isNumber
          isBig
          autoFocus
          error={
            text === "" || isAmount ? undefined : "An amount above 0, with at most 6 decimals, as 5,000.00"
          }
        />
        <div className="presets">
          {presets.map((preset) => (
            <Button key={preset} className="btn sm" onPress={() => setText(formatCredits(preset))}>
              {formatCount(preset)}
            </Button>
          ))}
        </div>
      </div>
      <ReasonField
        value={reason}
        onChange={setReason}
        hint="Such as how it was paid; it stands in the audit log. May be left empty."
      />
      {wallet !== undefined && <TopUpEffect wallet={wallet} credits={isAmount ? credits : 0} />}
    </FormDialog>
  );
}

/** What a top-up will do: the overage is cleared first. */
function TopUpEffect({
  wallet,
  credits,
}: {
  readonly wallet: AdminWallet;
  readonly credits: number;
}): ReactNode {
  const cleared = Math.min(toMicro(wallet.overage_used), toMicro(credits));
  const available = { name: "Available", now: toMicro(wallet.available), change: toMicro(credits) - cleared };
  const overage = { name: "Overage used", now: toMicro(wallet.overage_used), change: -cleared };
  return (
    <Effect rows={wallet.overage_used > 0 ? [overage, available] : [available]}>
      <p className="quiet">
        {wallet.overage_used > 0 ? "The overage is cleared first. " : ""}No invoice is made. It is in the
        audit log, and cannot be undone; a correction is an entry of its own.
      </p>
    </Effect>
  );
}
