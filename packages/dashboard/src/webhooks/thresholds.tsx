import { type AdminOrganization, adminOrganization } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { organizationsQuery, useMay, useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { useEdit } from "../api/edit.ts";
import { formatCredits, parseOptionalCredits } from "../parts/amounts.ts";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Effect } from "../parts/effect.tsx";
import { amountFrom0, Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Section } from "../parts/page.tsx";
import { notify } from "../parts/toasts.tsx";

/** Below how many credits a wallet is low. */
export function Thresholds() {
  const organizationId = useOrganizationId();
  const { data: organizations } = useQuery(organizationsQuery);
  const mayChange = useMay("owner");
  const organization = organizations?.find((one) => one.organizationId === organizationId);
  if (organization === undefined) return null;
  const { lowThreshold: threshold } = organization;
  return (
    <Section
      id="thresholds"
      title="Threshold"
      isRuled
      end={
        <DialogButton text="Change the threshold" look="sm end" isShown={mayChange}>
          <ThresholdDialog organization={organization} />
        </DialogButton>
      }
      lead={
        <>
          <code>wallet.low</code> is sent when the remainder of a wallet falls below it. A wallet may have one
          of its own, among its limits.
        </>
      }
    >
      <p className="small">
        {threshold === null ? (
          "There is none: only wallets with a threshold of their own are ever low."
        ) : (
          <>
            A wallet is low below <b>{formatCredits(threshold)}</b> credits.
          </>
        )}
      </p>
    </Section>
  );
}

function ThresholdDialog({ organization }: { organization: AdminOrganization }) {
  const edit = useEdit({
    record: organization,
    schema: adminOrganization,
    valuesOf: ({ lowThreshold: low }) => ({ text: low === null ? "" : formatCredits(low) }),
    labels: { lowThreshold: "Low below" },
    send: (_, seen, values) =>
      admin
        .organization(organization.organizationId)
        .configure({ ...seen, lowThreshold: parseOptionalCredits(values.text) }),
    untrue: ["organizations"],
    onDone: () => notify("The threshold is set"),
  });
  const { text } = edit.values;
  const after = parseOptionalCredits(text);
  return (
    <FormDialog
      title="Threshold of the organization"
      action="Set the threshold"
      isReady={after !== undefined && edit.isChanged}
      form={edit}
      failure="The threshold was not set."
    >
      <Field
        {...edit.bind("text")}
        label="Low below"
        unit="credits"
        isNumber
        autoFocus
        error={after === undefined ? amountFrom0 : undefined}
        hint="Empty is none."
      />
      <Effect>
        <p>
          {after === null
            ? "Wallets without a threshold of their own are never low."
            : "No event is sent for wallets that are already below it, only when the next ones cross it. It can be set back."}
        </p>
      </Effect>
    </FormDialog>
  );
}
