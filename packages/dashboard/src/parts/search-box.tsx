import { type ReactNode, useEffect, useState } from "react";
import { Input, SearchField } from "react-aria-components";
import { Icon } from "./icon.tsx";

/** As long as a person may pause between two letters. */
const typingMs = 200;

/** A search that runs while one types. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  /** What is searched: "Name, ID or email". */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), typingMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <SearchField className="input grow" aria-label={label} value={text} onChange={setText} maxLength={256}>
      <Icon name="search" />
      <Input placeholder={label} />
      <kbd>/</kbd>
    </SearchField>
  );
}
