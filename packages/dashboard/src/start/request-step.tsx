import type { CreatedApiKey } from "@creditgate/admin";
import { useState } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganization } from "../api/account.ts";
import { useChange } from "../api/edit.ts";
import { useAnswer } from "../api/query.ts";
import { gateScopes, isGood, keysQuery } from "../keys/key.ts";
import { CopyButton } from "../parts/button.tsx";
import { Failure } from "../parts/failure.tsx";
import { CodeBox } from "./code-box.tsx";
import type { Facts } from "./snippets.ts";

/** Makes a key, and shows the code of the first request with it. */
export function RequestStep({ facts }: { readonly facts: Omit<Facts, "apiKey"> }) {
  const organization = useOrganization();
  const mayMake = useMay("keys");
  // Shown once: nothing but this page has it.
  const [created, setCreated] = useState<CreatedApiKey>();
  const keys = useAnswer(keysQuery);
  const hasOne = keys.data?.some((key) => isGood(key)) === true;
  const create = useChange({
    change: () => organization.apiKeys.create({ name: "First request", scopes: gateScopes }),
    untrue: ["keys"],
    onDone: setCreated,
  });
  return (
    <>
      {created === undefined ? (
        <div className="section tight">
          <p className="small">
            {hasOne
              ? "There is a key, which was shown when it was made. Make another if you do not have it."
              : "Your application needs a key: to read balances and to report usage, and for nothing else."}
          </p>
          {create.isError && <Failure error={create.error} what="The key was not made." />}
          {mayMake ? (
            <div>
              <Button
                className={hasOne ? "btn" : "btn primary"}
                onPress={() => create.mutate()}
                isPending={create.isPending}
              >
                {hasOne ? "Create another API key" : "Create an API key"}
              </Button>
            </div>
          ) : (
            <p className="small quiet">An owner of the organization makes it.</p>
          )}
        </div>
      ) : (
        <div className="field">
          <span className="label">Your API key, shown once</span>
          <div className="secret">
            <code>{created.apiKey}</code>
            <CopyButton className="btn sm" text={created.apiKey} label="Copy the key">
              Copy the key
            </CopyButton>
          </div>
          <span className="hint">
            Put it where your server finds it, as <code>CREDITGATE_API_KEY</code>. If it is lost, make
            another; this one can then be revoked.
          </span>
        </div>
      )}
      <CodeBox facts={{ ...facts, apiKey: created?.apiKey ?? "YOUR_API_KEY" }} />
    </>
  );
}
