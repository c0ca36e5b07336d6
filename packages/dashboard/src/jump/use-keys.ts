import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useOrganizationId } from "../api/account.ts";
import { focusRow, focusSearch, press } from "./page-parts.ts";
import { useJumpPages } from "./pages.ts";
import { hasSingleKeys } from "./single-keys.ts";

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
