import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { organizationsQuery, useMay, useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
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
  const threshold = organizations?.find((one) => one.organizationId === organizationId)?.lowThreshold;
  if (threshold === undefined) return null;
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
      {isChanging && <ThresholdDialog before={threshold} onClose={() => setIsChanging(false)} />}
    </section>
  );
}

function ThresholdDialog({
  before,
  onClose,
}: {
  readonly before: number | null;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [text, setText] = useState(before === null ? "" : formatCredits(before));
  const after = text.trim() === "" ? null : parseCredits(text);
  const set = useChange({
    change: (lowThreshold: number | null) => admin.organization(organizationId).configure({ lowThreshold }),
    untrue: [["organizations"]],
    onDone() {
      onClose();
      tell("The threshold is set");
    },
  });
  return (
    <FormDialog
      title="Threshold of the organization"
      action="Set the threshold"
      isReady={after !== undefined}
      change={set}
      failure="The threshold was not set."
      onSubmit={() => {
        if (after !== undefined) set.mutate(after);
      }}
      onClose={onClose}
    >
      <Field
        label="Low below"
        name="threshold"
        value={text}
        onChange={setText}
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
