import type { Locator, Page } from "playwright-core";

/** More stops than any page has. */
const longest = 250;

/** What a tour with Tab through a page has found. */
export interface Tour {
  /** What had the focus, in order. */
  readonly stops: readonly string[];
  /** Where it could not be seen that it had the focus. */
  readonly unseen: readonly string[];
  /** What can be pressed with a mouse, and was never reached. */
  readonly missed: readonly string[];
}

interface Place {
  readonly name: string;
  readonly isLost: boolean;
  readonly isSeen: boolean;
  readonly wasHere: boolean;
}

/** One who has no mouse. */
export class Keyboard {
  readonly #page: Page;
  constructor(page: Page) {
    this.#page = page;
  }

  press(...keys: readonly string[]): Promise<void> {
    return keys.reduce((before, key) => before.then(() => this.#page.keyboard.press(key)), Promise.resolve());
  }

  type(text: string): Promise<void> {
    return this.#page.keyboard.type(text);
  }

  /** Goes on with Tab until this has the focus. Throws where it never has. */
  async to(target: Locator): Promise<void> {
    await target.waitFor();
    for (let step = 0; step < longest; step++) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await this.press("Tab");
    }
    throw new Error(`${target}: not reached by Tab`);
  }

  async activate(target: Locator, key: "Enter" | "Space" = "Enter"): Promise<void> {
    await this.to(target);
    await this.press(key);
  }

  /** Resolves once something has the focus: where a button is gone with what it did, that takes some frames. */
  async hasFocus(): Promise<void> {
    await this.#page.waitForFunction(() => document.activeElement !== document.body);
  }

  /** With Tab through the whole page, from its beginning. */
  async tour(): Promise<Tour> {
    await this.#page.evaluate(() => {
      document.activeElement instanceof HTMLElement && document.activeElement.blur();
      document.getSelection()?.removeAllRanges();
      Object.assign(window, { visited: new WeakSet() });
    });
    const stops: string[] = [];
    const unseen: string[] = [];
    // Backwards into the page is from its end: the first step forwards from there is its beginning.
    await this.#page.evaluate(() => document.querySelector<HTMLElement>(".skip")?.focus());
    for (let step = 0; step < longest; step++) {
      const { name, isLost, isSeen, wasHere } = await this.#page.evaluate<Place>(place);
      if (isLost || wasHere) break;
      stops.push(name);
      if (!isSeen) unseen.push(name);
      await this.press("Tab");
    }
    return { stops, unseen, missed: await this.#page.evaluate<readonly string[]>(missed) };
  }

  /** Round a dialog in both directions; answers where the focus was outside of it or could not be seen. */
  async round(dialog: Locator): Promise<readonly string[]> {
    await dialog.waitFor();
    const escaped: string[] = [];
    await this.#page.evaluate(() => Object.assign(window, { visited: new WeakSet() }));
    for (const key of ["Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab"]) {
      const { name, isSeen } = await this.#page.evaluate<Place>(place);
      if (!isSeen || !(await dialog.evaluate((element) => element.contains(document.activeElement)))) {
        escaped.push(name);
      }
      await this.press(key);
    }
    return escaped;
  }
}

/** Of what has the focus. It is seen by an outline of its own or of what it stands in, as a field in its box. */
const place = `(() => {
  const hasOutline = (one) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== "none" && outlineWidth !== "0px";
  };
  const element = document.activeElement;
  const name = element.tagName.toLowerCase() + " " + (element.getAttribute("aria-label") ?? element.textContent).slice(0, 60);
  // A field of a date has a stop for day, month and year each.
  const wasHere = window.visited.has(element) && window.visited.last !== element;
  window.visited.add(element);
  window.visited.last = element;
  let isOutlined = false;
  for (let at = element, up = 0; at !== null && up < 5 && at !== document.body; at = at.parentElement, up++) {
    isOutlined ||= hasOutline(at);
  }
  // A dialog without a field, by its box.
  isOutlined ||= element.matches("[role=dialog]") && hasOutline(element.firstElementChild);
  const { width, height, top, bottom } = element.getBoundingClientRect();
  const isInWindow = width > 0 && height > 0 && bottom > 0 && top < innerHeight;
  return { name, isLost: element === document.body, isSeen: isOutlined && isInWindow, wasHere };
})()`;

const missed = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=button], [tabindex='0']")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled, [data-live-announcer] *, [aria-hidden=true]"))
  .filter((element) => element.tabIndex >= 0 && !window.visited.has(element))
  .map((element) => element.tagName.toLowerCase() + " " + (element.getAttribute("aria-label") ?? element.textContent).slice(0, 60))`;
