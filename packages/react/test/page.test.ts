// @vitest-environment happy-dom
import { Balance, Budget, Paywall } from "@creditgate/react";
import { createElement, version } from "react";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { act, createPage, denial } from "./stage.ts";

let page: Awaited<ReturnType<typeof createPage>>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(async () => {
  await page.leave();
  vi.useRealTimers();
});

const problem = "application/problem+json";

describe(`useCredits, React ${version}`, () => {
  it("asks once, also in StrictMode, and shows the answer", async () => {
    page = await createPage(createElement(Balance), { strict: true });
    expect(page.asked.map(({ url }) => url)).toEqual(["/api/credits"]);
    expect(page.credits().state).toBe("loading");
    await page.last().answer(200, { balance: 10, held: 0 });
    expect(page.element.textContent).toBe("10.00 credits");
    expect(page.credits()).toMatchObject({ state: "current", balance: 10, held: 0, available: 10 });
  });

  it("asks nothing where the server has told", async () => {
    page = await createPage(createElement(Balance), { initial: { balance: null, held: 0 } });
    expect(page.asked).toEqual([]);
    expect(page.element.textContent).toBe("unlimited");
    expect(page.credits().available).toBe(Number.POSITIVE_INFINITY);
  });

  it("asks again when an answer of the application has ended, and not before", async () => {
    page = await createPage(null, { initial: { balance: 10, held: 0 } });
    const answered = page.credits().fetch("/api/chat", { method: "POST" });
    await page.last().answer(200, "hello");
    expect(page.asked).toHaveLength(1);
    await act(async () => expect(await (await answered).json()).toBe("hello"));
    expect(page.asked.map(({ url }) => url)).toEqual(["/api/chat", "/api/credits"]);
    await page.last().answer(200, { balance: 8, held: 0 });
    expect(page.credits().balance).toBe(8);
  });

  it("asks again when the application cancels an answer", async () => {
    page = await createPage(null, { initial: { balance: 10, held: 0 } });
    const answered = page.credits().fetch("/api/chat");
    await page.last().answer(200, "hello");
    await act(async () => (await answered).body?.cancel());
    expect(page.asked).toHaveLength(2);
  });

  it("asks again by invalidate(), after what is on its way, once for all that ask meanwhile", async () => {
    page = await createPage(null);
    const first = page.last();
    await act(() => void page.credits().invalidate());
    await act(() => void page.credits().invalidate());
    expect(page.asked).toHaveLength(1);
    await first.answer(200, { balance: 1, held: 0 });
    expect(page.asked).toHaveLength(2);
    await page.last().answer(200, { balance: 7, held: 0 });
    expect(page.asked).toHaveLength(2);
    expect(page.credits().balance).toBe(7);
  });

  it("asks again on focus, and while work is in flight", async () => {
    page = await createPage(null, { initial: { balance: 10, held: 0 } });
    await act(() => window.dispatchEvent(new Event("focus")));
    await page.last().answer(200, { balance: 10, held: 5 });
    expect(page.credits()).toMatchObject({ held: 5, available: 5 });
    await act(() => vi.advanceTimersByTime(1_000));
    await page.last().answer(200, { balance: 9, held: 0 });
    await act(() => vi.advanceTimersByTime(600_000));
    expect(page.asked).toHaveLength(2);
    expect(page.credits()).toMatchObject({ held: 0, available: 9 });
  });

  it("asks again while work done is being billed, whether it was told so at first or later", async () => {
    page = await createPage(null, { initial: { balance: 10, held: 1 } });
    await page.last().answer(200, { balance: 10, held: 1 });
    await act(() => vi.advanceTimersByTime(1_000));
    await page.last().answer(200, { balance: 9.5, held: 0 });
    await act(() => vi.advanceTimersByTime(600_000));
    expect(page.asked).toHaveLength(2);
    expect(page.credits()).toMatchObject({ balance: 9.5, held: 0 });
  });

  it("keeps the last figures where a reading fails, tries again, and forgets them at a 401", async () => {
    page = await createPage(null, { initial: { balance: 10, held: 0 } });
    await act(() => void page.credits().invalidate());
    await page.last().fail();
    expect(page.credits()).toMatchObject({ state: "stale", balance: 10 });
    await act(() => vi.advanceTimersByTime(1_000));
    await page.last().answer(200, { balance: "much", held: 0 });
    expect(page.credits()).toMatchObject({ state: "stale", balance: 10 });
    await act(() => vi.advanceTimersByTime(2_000));
    await page.last().answer(401, {}, problem);
    expect(page.credits()).toMatchObject({ state: "signed_out", balance: undefined });
    await act(() => vi.advanceTimersByTime(600_000));
    expect(page.asked).toHaveLength(3);
  });

  it("spreads the retries of many pages: each waits half of its pause, and a random part of the rest", async () => {
    const chance = vi.spyOn(Math, "random").mockReturnValue(0.25);
    onTestFinished(() => chance.mockRestore());
    page = await createPage(null, { initial: { balance: 10, held: 0 } });
    await act(() => void page.credits().invalidate());
    for (const pauseMs of [625, 1_250, 2_500]) {
      await page.last().fail();
      const { length } = page.asked;
      await act(() => vi.advanceTimersByTime(pauseMs - 1));
      expect(page.asked).toHaveLength(length);
      await act(() => vi.advanceTimersByTime(1));
      expect(page.asked).toHaveLength(length + 1);
    }
  });

  it("gives up a request that hangs, and says that nothing is known", async () => {
    page = await createPage(null);
    await act(() => vi.advanceTimersByTime(10_000));
    expect(page.last().signal?.aborted).toBe(true);
    expect(page.credits().state).toBe("unavailable");
  });

  it("ends its request, and asks no more, when it is unmounted", async () => {
    page = await createPage(null);
    const { signal } = page.last();
    const { invalidate } = page.credits();
    await page.leave();
    expect(signal?.aborted).toBe(true);
    await invalidate();
    await act(() => window.dispatchEvent(new Event("focus")));
    await act(() => vi.advanceTimersByTime(600_000));
    expect(page.asked).toHaveLength(1);
  });

  it("tells another tab", async () => {
    page = await createPage(null, { initial: { balance: 10, held: 0 } });
    const tab = new BroadcastChannel("creditgate /api/credits");
    const told = new Promise((resolve) => {
      tab.onmessage = resolve;
    });
    await act(() => void page.credits().invalidate());
    await told;
    await page.last().answer(200, { balance: 10, held: 0 });
    const asked = page.asked.length;
    tab.postMessage("changed");
    await vi.waitFor(() => expect(page.asked).toHaveLength(asked + 1), { timeout: 30_000 });
    tab.close();
  });
});

describe(`Paywall, React ${version}`, () => {
  const deny = async (more: object) => {
    const answered = page.credits().fetch("/api/chat");
    await page.last().answer(402, { ...denial, ...more }, problem);
    await act(async () => expect((await answered).status).toBe(402));
    await page.last().answer(200, { balance: 1, held: 0 });
  };
  const ways = () =>
    [...page.element.querySelectorAll("[data-action]")].map((way) => [
      way.textContent,
      way.hasAttribute("data-recommended"),
    ]);

  it.each([
    ["create_order", "Order Plus"],
    ["upgrade", "Upgrade your plan"],
    ["complete_payment", "Complete the payment"],
  ])("offers %s first where it is recommended, then a top-up", async (recommendedAction, label) => {
    const run = () => {};
    const actions = {
      top_up: { run },
      create_order: { run, label: "Order Plus" },
      upgrade: { run },
      complete_payment: { run },
    };
    page = await createPage(createElement(Paywall, { actions }), { initial: { balance: 1, held: 0 } });
    await deny({ recommendedAction });
    expect(page.element.querySelector("h2")?.textContent).toBe("You are out of credits");
    expect(page.element.textContent).toContain("This needs 5.00 credits; you have 1.00 left.");
    expect(ways()).toEqual([
      [label, true],
      ["Top up", false],
    ]);
  });

  it.each([
    [
      { code: "wallet_missing", title: "The customer has no wallet in this currency" },
      "You have no credits yet",
    ],
    [
      { code: "customer_unknown", title: "The billing service does not know this customer" },
      "You have no credits yet",
    ],
    [{ retryable: true }, "Your credits are in use"],
    [{ code: "budget_unknown", available: undefined }, "You have no limit yet"],
    [{}, "You are out of credits"],
    [{ code: "of_another_service", title: "Quota policy 7 violated" }, "You are out of credits"],
  ])("speaks to the customer, and not in the words of the operator: %j", async (more, title) => {
    page = await createPage(createElement(Paywall), { initial: { balance: 1, held: 0 } });
    await deny(more);
    expect(page.element.querySelector("h2")?.textContent).toBe(title);
    expect(page.element.textContent).not.toMatch(/customer|wallet|billing service|policy|denied/i);
  });

  it("names a limit that is reached, offers no payment, and is gone when the limit has room", async () => {
    const resetsAt = "2026-05-06T00:00:00.000Z";
    const served = (limit: number) => ({
      ...{ balance: 100, held: 0 },
      budgets: { "member:1": { limit, used: 9, held: 0, resetsAt } },
    });
    const actions = { top_up: { run: () => {} } };
    const content = [
      createElement(Budget, { key: "budget", budget: "member:1" }),
      createElement(Budget, { key: "unknown", budget: "constructor" }),
      createElement(Paywall, { key: "paywall", actions }),
    ];
    page = await createPage(content, { initial: served(10) });
    const shown = () =>
      [...page.element.querySelectorAll(".creditgate-budget")].map((one) => one.textContent);
    expect(shown()).toEqual(["9.00 of 10.00 credits used, resets 2026-05-06 00:00 UTC", "–"]);
    const budget = { key: "member:1", limit: 10, left: 1, resetsAt };
    const answered = page.credits().fetch("/api/chat");
    const { available: _, shortfall: __, ...rest } = denial;
    await page.last().answer(402, { ...rest, code: "budget_exceeded", budget }, problem);
    await act(() => answered);
    await page.last().answer(200, served(10));
    expect(page.element.querySelector("section")?.textContent).toBe(
      "Your limit is reachedThis needs 5.00 credits; 1.00 of your 10.00 are left. Your limit resets 2026-05-06 00:00 UTC. Ask an administrator to raise it.",
    );
    expect(ways()).toEqual([]);
    await act(() => void page.credits().invalidate());
    await page.last().answer(200, served(20));
    expect(page.element.querySelector("section")).toBeNull();
    expect(shown()[0]).toContain("9.00 of 20.00");
  });

  it("runs the action once, reads the balance, and is gone when that suffices", async () => {
    let done = () => {};
    const run = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          done = resolve;
        }),
    );
    page = await createPage(createElement(Paywall, { actions: { top_up: { run } } }), {
      initial: { balance: 1, held: 0 },
    });
    await deny({});
    const button = page.element.querySelector("button");
    button?.focus();
    await act(() => button?.click());
    // A button that is disabled loses the focus, and with it a person who has no mouse their place.
    expect([button?.disabled, button?.getAttribute("aria-disabled")]).toEqual([false, "true"]);
    expect(document.activeElement).toBe(button);
    await act(() => {
      button?.click();
      button?.click();
    });
    await act(() => done());
    expect(run).toHaveBeenCalledTimes(1);
    await page.last().answer(200, { balance: 11, held: 0 });
    expect(page.element.textContent).toBe("");
    expect(page.credits().denial).toBeUndefined();
  });

  it("says that an action has failed, and can be tried again", async () => {
    const run = () => Promise.reject(new Error("declined"));
    page = await createPage(createElement(Paywall, { actions: { top_up: { run } } }), {
      initial: { balance: 1, held: 0 },
    });
    await deny({});
    await act(() => page.element.querySelector("button")?.click());
    await page.last().answer(200, { balance: 1, held: 0 });
    expect(page.element.textContent).toContain("That has not worked. Try again.");
    expect(page.element.querySelector("button")?.hasAttribute("aria-disabled")).toBe(false);
  });

  it("links to where the gate says, but never to a script", async () => {
    page = await createPage(createElement(Paywall), { initial: { balance: 1, held: 0 } });
    await deny({ actionUrl: "/billing", recommendedAction: "constructor" });
    expect(page.element.querySelector("a")?.getAttribute("href")).toBe("/billing");
    expect(ways()).toEqual([["Continue", true]]);
    await deny({ actionUrl: "javascript:alert(1)" });
    expect(page.element.querySelector("a")).toBeNull();
  });

  it("shows no 402 of others, and is gone when a request is let in", async () => {
    page = await createPage(createElement(Paywall), { initial: { balance: 1, held: 0 } });
    await deny({ type: "about:blank" });
    expect(page.element.textContent).toBe("");
    await deny({});
    expect(page.element.querySelector("[role=alert]")).not.toBeNull();
    void page.credits().fetch("/api/chat");
    await page.last().answer(200, "hello");
    expect(page.element.textContent).toBe("");
  });
});
