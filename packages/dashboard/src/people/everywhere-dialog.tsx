import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { Effect } from "../parts/effect.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";

/** Ends all sessions of the person, this one too. */
export function EverywhereDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const end = useChange({
    change: () => admin.account.signOutEverywhere(),
    untrue: [],
    async onDone() {
      // Nothing of this person stays in the page for the next one.
      queryClient.clear();
      await navigate({ to: "/sign-in" });
    },
  });
  return (
    <FormDialog
      title="Sign out everywhere"
      action="Sign out everywhere"
      change={end}
      failure="It is not certain that the sessions have ended."
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <Effect>
        <p>
          All your sessions end, on every device, this one too. Your tokens go on: revoke them by themselves.
        </p>
      </Effect>
    </FormDialog>
  );
}
