import type { ReactNode } from "react";

/** Comments, strings and words of JavaScript, and comments and strings of a shell. */
const token =
  /(?<c>(?<![:"'\w])\/\/[^\n]*|^#[^\n]*)|(?<s>"[^"\n]*"|'[^'\n]*'|`[^`]*`)|\b(?<k>import|from|export|const|default|async|await|function|return|new|type)\b/gm;

/** Code in colours. What is not known is plain, and nothing is left out: the text is what is copied. */
export function CodeText({ text }: { readonly text: string }): ReactNode {
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
