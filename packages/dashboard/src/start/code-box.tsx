import { type ReactNode, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { CopyButton } from "../parts/button.tsx";
import { type Facts, type Place, places, snippetsOf } from "./snippets.ts";

const all: readonly Place[] = ["express", "next", "edge", "curl"];

/** The code of a first request, for each place that an application may run in. */
export function CodeBox({ facts }: { readonly facts: Facts }) {
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
