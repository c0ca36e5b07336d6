import { type AdminOrganization, adminOrganization } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { organizationsQuery, useMay, useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { formatCredits, parseCredits } from "../parts/credits.ts";
import { Effect } from "../parts/effect.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";

/** Below how many credits a wallet is low. */
export function Thresholds(): ReactNode {
  const organizationId = useOrganizationId();
  const { data: organizations } = useQuery(organizationsQuery);
  const mayChange = useMay("owner");
  const [isChanging, setIsChanging] = useState(false);
  const organization = organizations?.find((one) => one.organizationId === organizationId);
  if (organization === undefined) return null;
  const { lowThreshold: threshold } = organization;
  return (
    <section className="section rule" aria-labelledby="thresholds">
      <header>
        <h2 id="thresholds">Threshold</h2>
        {mayChange && (
          <Button className="btn sm end" onPress={() => setIsChanging(true)}>
            Change the threshold
          </Button>
        )}
        <p>
          <code>wallet.low</code> is told when what is left of a wallet falls below it. A wallet may have one
          of its own, among its limits.
        </p>
      </header>
      <p className="small">
        {threshold === null ? (
          "There is none: only wallets with a threshold of their own are ever low."
        ) : (
          <>
            A wallet is low below <b>{formatCredits(threshold)}</b> credits.
          </>
        )}
      </p>
      {isChanging && <ThresholdDialog organization={organization} onClose={() => setIsChanging(false)} />}
    </section>
  );
}

function ThresholdDialog({
  organization,
  onClose,
}: {
  readonly organization: AdminOrganization;
  readonly onClose: () => void;
}): ReactNode {
  const edit = useEdit({
    record: organization,
    schema: adminOrganization,
    valuesOf: ({ lowThreshold: low }) => ({ text: low === null ? "" : formatCredits(low) }),
    labels: { lowThreshold: "Low below" },
    send: (_, seen, values) =>
      admin
        .organization(organization.organizationId)
        .configure({ ...seen, lowThreshold: lowOf(values.text) }),
    untrue: [["organizations"]],
    onDone() {
      onClose();
      tell("The threshold is set");
    },
  });
  const { text } = edit.values;
  const after = lowOf(text);
  return (
    <FormDialog
      title="Threshold of the organization"
      action="Set the threshold"
      isReady={after !== undefined && edit.isChanged}
      change={edit}
      failure="The threshold was not set."
      onSubmit={edit.save}
      onClose={onClose}
    >
      <Field
        label="Low below"
        name="threshold"
        value={text}
        onChange={(written) => edit.set({ text: written })}
        unit="credits"
        isNumber
        autoFocus
        error={after === undefined ? "An amount from 0, with at most 6 decimals" : undefined}
        hint="Empty is none."
      />
      <Effect>
        <p>
          {after === null
            ? "Wallets without a threshold of their own are never low."
            : "Wallets that are below it already are not told of: the next ones that cross it are. It can be set back."}
        </p>
      </Effect>
    </FormDialog>
  );
}

/** Empty is none; `undefined` while it is no amount. */
function lowOf(text: string): number | null | undefined {
  return text.trim() === "" ? null : parseCredits(text);
}
