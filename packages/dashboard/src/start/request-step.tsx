import type { CreatedApiKey } from "@creditgate/admin";
import { type ReactNode, useState } from "react";
import { Button, Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { useChange } from "../api/edit.ts";
import { useAnswer, useMay, useOrganization } from "../api/query.ts";
import { gateScopes, isGood, keysQuery } from "../keys/key.ts";
import { CopyButton, Secret } from "../parts/button.tsx";
import { Failure } from "../parts/failure.tsx";
import { type Facts, type Place, places, snippetsOf } from "./snippets.ts";

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
              ? "There is already a key, which was shown when it was created. Create another if you do not have it."
              : "Your application needs an API key to read balances and report usage."}
          </p>
          {create.isError && <Failure error={create.error} what="The key was not created." />}
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
            <p className="small quiet">An owner of the organization can create it.</p>
          )}
        </div>
      ) : (
        <Secret
          label="Your API key, shown only once"
          secret={created.apiKey}
          hint={
            <>
              Set it as <code>CREDITGATE_API_KEY</code> on your server. If you lose it, create another and
              revoke this one.
            </>
          }
        />
      )}
      <CodeBox facts={{ ...facts, apiKey: created?.apiKey ?? "YOUR_API_KEY" }} />
    </>
  );
}

const all: readonly Place[] = ["express", "next", "edge", "curl"];

/** The code of a first request, for each place that an application may run in. */
function CodeBox({ facts }: { readonly facts: Facts }) {
  const [place, setPlace] = useState<Place>("express");
  return (
    <Tabs
      className="code-tabs"
      selectedKey={place}
      onSelectionChange={(key) => setPlace(all.find((one) => one === key) ?? "express")}
    >
      <TabList className="tabs" aria-label="Where your application runs">
        {all.map((one) => (
          <Tab key={one} id={one} className="tab">
            {places[one]}
          </Tab>
        ))}
      </TabList>
      {all.map((one) => (
        <TabPanel key={one} id={one} className="section tight">
          {snippetsOf(one, facts).map(({ name, text }) => (
            <figure className="code" key={name}>
              <figcaption className="bar">
                <code>{name}</code>
                <CopyButton className="btn sm ghost" text={text} label={`Copy ${name}`}>
                  Copy
                </CopyButton>
              </figcaption>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
              <pre tabIndex={0}>
                <CodeText text={text} />
              </pre>
            </figure>
          ))}
        </TabPanel>
      ))}
    </Tabs>
  );
}

/** Comments, strings and words of JavaScript, and comments and strings of a shell. */
const token =
  /(?<c>(?<![:"'\w])\/\/[^\n]*|^#[^\n]*)|(?<s>"[^"\n]*"|'[^'\n]*'|`[^`]*`)|\b(?<k>import|from|export|const|default|async|await|function|return|new|type)\b/gm;

/** Code in colours. What is not known is plain, and nothing is left out: the text is what is copied. */
function CodeText({ text }: { readonly text: string }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [look] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    parts.push(text.slice(end, match.index));
    parts.push(
      <span key={match.index} className={look}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return (
    <code>
      {parts}
      {text.slice(end)}
    </code>
  );
}
