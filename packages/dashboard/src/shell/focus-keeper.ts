import { useEffect } from "react";

/** What can have the focus by Tab. */
const focusable =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), [tabindex='0']";

/**
 * Keeps the keyboard in the page: where what had the focus is gone or shut, as a button with its row or a page with its link, the
 * focus goes to the nearest place that is left, at the latest to the content.
 */
export function useFocusKeeper(): void {
  useEffect(() => {
    let last: Element | undefined;
    /** From what had the focus up to the page: what is left of it when it is gone. */
    let around: Element[] = [];
    let isAsked = false;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last = target;
      around = [];
      for (let at = target.parentElement; at !== null; at = at.parentElement) around.push(at);
    };
    const mend = () => {
      isAsked = false;
      if (last === undefined || document.activeElement !== document.body) return;
      if (last.isConnected && !last.matches(":disabled")) return;
      placeIn(around).focus({ preventScroll: true });
    };
    // A dialog that closes gives the focus back in the next frame by itself.
    const look = () => {
      if (isAsked || document.activeElement !== document.body || last === undefined) return;
      isAsked = true;
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(mend)));
    };
    const forget = () => {
      last = undefined;
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled"] });
    document.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", forget);
    return () => {
      observer.disconnect();
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", forget);
    };
  }, []);
}

function placeIn(around: readonly Element[]): HTMLElement {
  const content = document.getElementById("content") ?? document.body;
  const left = around.find((one) => one.isConnected && content !== one && content.contains(one));
  return left?.querySelector<HTMLElement>(focusable) ?? content;
}
