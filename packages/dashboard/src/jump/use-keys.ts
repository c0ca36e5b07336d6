import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useOrganizationId } from "../api/query.ts";
import { useJumpPages } from "./pages.ts";

/** What floats above the page. */
export type Floating = "palette" | "key-list";

/** As long as a letter may come after `g`. */
const pauseMs = 1_500;

/** ⌘ where a keyboard has it. */
export const isApple: boolean = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of all pages. They press what the page has, so that none does what its person may not. */
export function useKeys(onOpen: (floating: Floating) => void): void {
  const organizationId = useOrganizationId();
  const pages = useJumpPages();
  const navigate = useNavigate();
  const handler = useRef<(event: KeyboardEvent) => void>(undefined);
  const goAt = useRef<number>(undefined);

  useEffect(() => {
    handler.current = (event) => {
      if (event.defaultPrevented || event.isComposing || event.repeat || isFloating()) return;
      if (isJump(event)) {
        event.preventDefault();
        return onOpen("palette");
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || !hasSingleKeys())
        return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      // Shift alone is on the way to "?".
      if (key === "Shift") return;
      const isAfterGo = goAt.current !== undefined && event.timeStamp - goAt.current <= pauseMs;
      goAt.current = undefined;
      const page = isAfterGo ? pages.find(({ letter }) => letter === key) : undefined;
      if (page !== undefined) void navigate({ to: page.to, params: { organizationId } });
      else if (isAfterGo) return;
      else if (key === "g") goAt.current = event.timeStamp;
      else if (key === "?") onOpen("key-list");
      else if (key === "/") focusSearch() || onOpen("palette");
      else if (key === "j") focusRow(1);
      else if (key === "k") focusRow(-1);
      else if (key === "n" || key === "p") press(key);
      else return;
      event.preventDefault();
    };
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => handler.current?.(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function isJump({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (
    key.toLowerCase() === "k" && (isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

/** A dialog or a menu has the keyboard for itself. */
function isFloating(): boolean {
  return document.querySelector("[role=dialog], [role=alertdialog], [role=menu], [role=listbox]") !== null;
}

/** The search of the page; `false` where it has none. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(
    "#content input:is([type=search], .toolbar [role=combobox])",
  );
  field?.focus();
  field?.select();
  return field !== null;
}

/** Presses the button of the page that names this key in `data-key`, if it has one. */
function press(key: string): void {
  const button = document.querySelector<HTMLButtonElement>(`#content [data-key="${key}"]`);
  button?.focus();
  button?.click();
}

/** Goes a row down or up, by what opens rows; from elsewhere to the first. */
function focusRow(step: 1 | -1): void {
  const openers = [...document.querySelectorAll<HTMLElement>("#content tbody .cover")];
  const at = openers.findIndex((opener) => opener.matches(":focus"));
  const next = openers[at === -1 ? 0 : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** Whether keys without a modifier do something: who speaks to the machine, or presses keys by accident, turns them off. */
const key = "creditgate-single-keys";

export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(key) !== "off";
  } catch {
    return true;
  }
}

export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(key);
    else localStorage.setItem(key, "off");
  } catch {
    // Storage may be forbidden: then they stay on.
  }
}
