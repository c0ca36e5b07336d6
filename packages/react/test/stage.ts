import { type Credits, CreditsProvider, type CreditsProviderProps, useCredits } from "@creditgate/react";
import { createElement, Fragment, type ReactNode, act as reactAct, StrictMode } from "react";
import { createRoot } from "react-dom/client";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

/** A request that waits for the test to answer it. */
export interface Asked {
  readonly url: string;
  readonly signal: AbortSignal | undefined;
  answer(status: number, body: unknown, type?: string): Promise<void>;
  fail(): Promise<void>;
}

export const denial = {
  type: "urn:creditgate:denial:insufficient_credits",
  code: "insufficient_credits",
  status: 402,
  title: "Not enough credits",
  currency: "ai_credits",
  required: 5,
  available: 1,
  shortfall: 4,
  retryable: false,
};

export async function act(step: () => unknown): Promise<void> {
  await reactAct(async () => {
    await step();
    // What resolves by then has been rendered.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  });
}

/** A page below a provider whose requests the test answers. */
export async function createPage(
  content: ReactNode,
  { strict = false, ...props }: Omit<CreditsProviderProps, "fetch"> & { readonly strict?: boolean } = {},
): Promise<{
  readonly element: HTMLElement;
  readonly asked: readonly Asked[];
  readonly last: () => Asked;
  readonly credits: () => Credits;
  readonly leave: () => Promise<void>;
}> {
  const asked: Asked[] = [];
  const fetch: typeof globalThis.fetch = (input, init) =>
    new Promise((resolve, reject) => {
      const signal = init?.signal ?? undefined;
      signal?.addEventListener("abort", () => reject(signal.reason));
      asked.push({
        url: String(input),
        signal,
        answer: (status, body, type = "application/json") =>
          act(() =>
            resolve(new Response(JSON.stringify(body), { status, headers: { "content-type": type } })),
          ),
        fail: () => act(() => reject(new TypeError("fetch failed"))),
      });
    });
  let latest: Credits | undefined;
  const Probe = () => {
    latest = useCredits();
    return null;
  };
  const element = document.createElement("div");
  document.body.append(element);
  const root = createRoot(element);
  const below = createElement(CreditsProvider, { ...props, fetch }, createElement(Probe), content);
  await act(() => root.render(createElement(strict ? StrictMode : Fragment, null, below)));
  return {
    element,
    asked,
    last() {
      const request = asked.at(-1);
      if (request === undefined) throw new Error("nothing was asked");
      return request;
    },
    credits() {
      if (latest === undefined) throw new Error("nothing was rendered");
      return latest;
    },
    async leave() {
      await act(() => root.unmount());
      element.remove();
    },
  };
}
