import { type KeyboardEvent, useId, useState } from "react";
import { Icon, type IconName } from "./icon.tsx";
import { Name } from "./name.tsx";
import { visible } from "./visible.ts";

/** One of the options below a field. */
export interface Option {
  readonly id: string;
  readonly icon: IconName;
  readonly name: string;
  readonly note?: string | undefined;
  readonly take: () => void;
}

/** The options below a text field, which keeps the focus: the arrows choose one, Enter and a click take it. */
export function useOptions(label: string, options: readonly Option[], isBusy: boolean) {
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, options.length - 1);
  const id = useId();
  const idOf = (place: number) => `${id}-${place}`;
  function steer(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isTaken = event.key === "Enter" && !event.nativeEvent.isComposing;
    if (options.length === 0 || (step === undefined && !isTaken)) return;
    event.preventDefault();
    if (step === undefined) options[at]?.take();
    else setChosen((at + step + options.length) % options.length);
  }
  return {
    /** The one that Enter takes. */
    active: options[at],
    /** Chooses the first one: the text is another. */
    restart: () => setChosen(0),
    field: {
      role: "combobox",
      "aria-expanded": options.length > 0,
      "aria-controls": id,
      "aria-autocomplete": "list",
      "aria-activedescendant": at < 0 ? undefined : idOf(at),
      autoComplete: "off",
      spellCheck: false,
      maxLength: 256,
      onKeyDown: steer,
    },
    list: (
      <div role="listbox" id={id} aria-label={label} aria-busy={isBusy}>
        {options.map((option, place) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the chosen option.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard.
          <div
            key={option.id}
            role="option"
            id={idOf(place)}
            aria-selected={place === at}
            ref={place === at ? intoView : undefined}
            onPointerDown={(event) => event.preventDefault()}
            onClick={option.take}
          >
            <Icon name={option.icon} />
            <span>
              <Name>{option.name}</Name>
            </span>
            {option.note !== undefined && <small>{visible(option.note)}</small>}
          </div>
        ))}
      </div>
    ),
  } as const;
}

function intoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
