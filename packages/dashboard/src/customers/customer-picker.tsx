import { useSearch } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { FieldNotes } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Name } from "../parts/name.tsx";
import { useOptions } from "../parts/options.tsx";
import { useFilters } from "../parts/toolbar.tsx";
import { useFoundCustomers } from "./found.ts";

interface CustomerPickerProps {
  /** @default "Customer" */
  readonly label?: string;
  /** The ID of a customer; "" is none. */
  readonly value: string;
  readonly onChange: (customerId: string) => void;
  /** Stands in a toolbar, and changes its value once a customer is taken. In a form the value is also what is being typed. */
  readonly isFilter?: boolean;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly autoFocus?: boolean;
}

/**
 * Finds a customer by name, ID or email. Enter, Tab and a click take the chosen option; a text for which there is none is
 * taken as an ID.
 */
export function CustomerPicker(props: CustomerPickerProps) {
  const { label = "Customer", value, onChange, isFilter = false, hint, error } = props;
  const id = useId();
  /** What is being typed; absent once a customer is taken. */
  const [text, setText] = useState<string>();
  const [isTaking, setIsTaking] = useState(false);
  const { found, isSearching } = useFoundCustomers((text ?? value).trim());
  function take(customerId: string): void {
    setText(undefined);
    setIsTaking(false);
    if (customerId !== value) onChange(customerId);
  }
  const isOpen = text !== undefined && text.trim() !== "";
  const options = (isOpen ? found : []).map(({ externalId, name }) => ({
    ...{ id: externalId, icon: "customers" as const, name, note: externalId },
    take: () => take(externalId),
  }));
  const { active, restart, field, list } = useOptions("Suggestions", options, isSearching);
  const takeChosen = useEffectEvent(() => take(active?.id ?? (text ?? value).trim()));
  // What is typed and left at once is taken when the search has ended.
  useEffect(() => {
    if (isTaking && !isSearching) takeChosen();
  }, [isTaking, isSearching]);
  function type(typed: string): void {
    setText(typed);
    setIsTaking(false);
    restart();
    if (!isFilter || typed === "") onChange(typed);
  }
  function steer(event: KeyboardEvent): void {
    field.onKeyDown(event);
    if (event.isDefaultPrevented() || text === undefined) return;
    if (event.key === "Escape") {
      // It closes the options alone, and not the dialog around them.
      event.stopPropagation();
      setText(undefined);
    } else if (event.key === "Enter") {
      event.preventDefault();
      setIsTaking(true);
    }
  }
  const known = text === undefined ? found.find(({ externalId }) => externalId === value) : undefined;
  const box = ["input", isFilter ? "filter" : "mono", isFilter && value !== "" && "on", error && "invalid"];
  return (
    <div className={isFilter ? "field grow" : "field"}>
      <label htmlFor={id} className={isFilter ? "unseen" : undefined}>
        {label}
      </label>
      <div className="combo">
        <div className={box.filter(Boolean).join(" ")}>
          {isFilter && <Icon name="customers" />}
          <input
            {...field}
            id={id}
            value={text ?? value}
            placeholder={isFilter ? "Customer name or ID" : "Name or ID"}
            aria-invalid={error !== undefined}
            aria-describedby={`${id}-notes`}
            // biome-ignore lint/a11y/noAutofocus: the first field of a dialog has the focus, as in the other fields.
            autoFocus={props.autoFocus}
            onChange={({ target }) => type(target.value)}
            onKeyDown={steer}
            onBlur={() => setIsTaking(text !== undefined)}
          />
          {known !== undefined && (
            <span className="unit">
              <Name>{known.name}</Name>
            </span>
          )}
        </div>
        {isOpen && (
          <div className="options">
            {list}
            <p className="quiet small" role="status">
              {options.length === 0 && (isSearching ? "Searching…" : "No customers found")}
            </p>
          </div>
        )}
      </div>
      <FieldNotes id={`${id}-notes`} hint={hint} error={error} />
    </div>
  );
}

/** Filters by the customer in the page's address. */
export function CustomerFilter() {
  const { customer = "" } = useSearch({ strict: false });
  const { set } = useFilters();
  return <CustomerPicker value={customer} onChange={(chosen) => set({ customer: chosen })} isFilter />;
}
