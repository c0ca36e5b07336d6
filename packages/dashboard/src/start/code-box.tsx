import { type ReactNode, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { CopyButton } from "../parts/copy-button.tsx";
import { CodeText } from "./code-text.tsx";
import { type Facts, type Place, places, snippetsOf } from "./snippets.ts";

const all: readonly Place[] = ["express", "next", "edge", "curl"];

/** The code of a first request, for each place that an application may run in. */
export function CodeBox({ facts }: { readonly facts: Facts }): ReactNode {
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
