import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { creditsErrorFormatter } from "@creditgate/trpc";
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  httpSubscriptionLink,
  type TRPCClient,
  type TRPCLink,
} from "@trpc/client";
import { type AnyTRPCRouter, initTRPC, type TRPCRouterRecord } from "@trpc/server";
import { createHTTPServer } from "@trpc/server/adapters/standalone";
import { EventSource } from "eventsource";
import { afterEach } from "vitest";

export interface Context {
  readonly customer: string | undefined;
}

export const t = initTRPC.context<Context>().create({ errorFormatter: creditsErrorFormatter });

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Serves a router over HTTP until the test is over; the customer is the one whom a header names. */
export async function serve(router: AnyTRPCRouter): Promise<string> {
  const server = createHTTPServer({
    router,
    createContext: ({ req }): Context => ({ customer: req.headers["x-customer"]?.toString() }),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endings.push(async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type LinkOf = (options: { url: string; headers: Record<string, string> }) => TRPCLink<AnyTRPCRouter>;

/** How a client sends its calls. */
export const links: Readonly<Record<"alone" | "batch" | "stream" | "events", LinkOf>> = {
  alone: (options) => httpLink(options),
  batch: (options) => httpBatchLink(options),
  stream: (options) => httpBatchStreamLink(options),
  events: ({ url, headers }) =>
    httpSubscriptionLink({
      url,
      EventSource: class extends EventSource {
        constructor(address: string | URL) {
          const withHeaders: typeof fetch = (input, init) =>
            fetch(input, {
              ...init,
              headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers },
            });
          super(address, { fetch: withHeaders as never });
        }
      } as typeof EventSource,
    }),
};

/** Serves the procedures, and connects a client to them. */
export async function connect<Record extends TRPCRouterRecord>(
  procedures: Record,
  link: keyof typeof links = "stream",
  customer = "alice",
): Promise<TRPCClient<ReturnType<typeof t.router<Record>>>> {
  const url = await serve(t.router(procedures));
  return createTRPCClient<ReturnType<typeof t.router<Record>>>({
    links: [links[link]({ url, headers: { "x-customer": customer } }) as never],
  });
}
