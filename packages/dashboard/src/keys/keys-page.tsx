import { Link, useSearch } from "@tanstack/react-router";
import { useMay } from "../api/account.ts";
import { useAnswer } from "../api/query.ts";
import { DialogButton } from "../parts/dialog-button.tsx";
import { Empty, Loaded } from "../parts/listing.tsx";
import { Page } from "../parts/page.tsx";
import { isGood, keysQuery } from "./key.ts";
import { KeyDialog } from "./key-dialogs.tsx";
import { KeyTable } from "./key-table.tsx";

export function KeysPage() {
  const mayChange = useMay("keys");
  return (
    <Page
      title="API keys"
      facts={<p className="facts">By these your applications call {location.host}, as this organization.</p>}
      actions={
        mayChange && (
          <DialogButton text="New key" look="primary" icon="plus" data-key="n">
            <KeyDialog />
          </DialogButton>
        )
      }
    >
      <Keys mayChange={mayChange} />
    </Page>
  );
}

function Keys({ mayChange }: { mayChange: boolean }) {
  const keys = useAnswer(keysQuery);
  const { ended } = useSearch({ from: "/shell/organizations/$organizationId/keys" });
  return (
    <Loaded query={keys} failure="The keys could not be loaded. They go on working.">
      {(known) => {
        const good = known.filter((key) => isGood(key));
        const over = known.length - good.length;
        const shown = (ended ? known : good).toReversed();
        return (
          <section className="section" aria-label="Keys">
            {shown.length === 0 ? (
              <Empty title="No key yet">
                An application needs a key to read balances and to report usage.{" "}
                {mayChange ? "Make one for each application." : "An owner of the organization makes it."}
              </Empty>
            ) : (
              <KeyTable keys={shown} mayChange={mayChange} />
            )}
            {over > 0 && (
              <div className="pager">
                <Link className="link" to="." search={ended ? {} : { ended: true }} replace>
                  {ended ? "Without ended keys" : `Show ${over} ended`}
                </Link>
              </div>
            )}
          </section>
        );
      }}
    </Loaded>
  );
}
