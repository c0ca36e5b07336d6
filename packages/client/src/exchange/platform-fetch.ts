import type { StartExchange } from "./exchange.ts";
import { fetchExchange } from "./fetch-exchange.ts";

/** By the global `fetch`, looked up at each request. On Node it is a pool: see `imports` of package.json. */
export const platformExchange: StartExchange = fetchExchange((url, init) => globalThis.fetch(url, init));
