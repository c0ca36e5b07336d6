/** The search of the page; `false` where it has none. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>("#content input[type=search]");
  field?.focus();
  field?.select();
  return field !== null;
}

/** Presses the button of the page that names this key in `data-key`, if it has one. */
export function press(key: string): void {
  const button = document.querySelector<HTMLButtonElement>(`#content [data-key="${key}"]`);
  button?.focus();
  button?.click();
}

/** Goes a row down or up, by what opens rows; from elsewhere to the first. */
export function focusRow(step: 1 | -1): void {
  const openers = [...document.querySelectorAll<HTMLElement>("#content tbody .cover")];
  const at = openers.findIndex((opener) => opener === document.activeElement);
  const next = openers[at === -1 ? 0 : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
