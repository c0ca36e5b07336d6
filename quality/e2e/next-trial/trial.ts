import {
  type AdapterAnswer,
  type AdapterRoute,
  adapterRoutes,
  createAdapterApp,
} from "@creditgate/conformance";
import type { Charge } from "@creditgate/core";
import * as server from "next/server.js";

const controlPlaneUrl = process.env.CONTROL_PLANE_URL ?? "http://127.0.0.1:1";

/** The app on trial, for requests of this router. */
export const trialOf = <Request>(header: (request: Request, name: string) => string | null | undefined) =>
  createAdapterApp(controlPlaneUrl, header);

/** One handler for each route, by its name. */
export function eachRoute<Handler>(create: (route: AdapterRoute) => Handler): ReadonlyMap<string, Handler> {
  return new Map(adapterRoutes.map((route) => [route, create(route)]));
}

/**
 * Gives the work to Next's `after()`, as the header `x-after` asks: as a function or as a promise. Returns when `x-ends` says so: at once, or when
 * the signal fires; or throws. There is none before Next 15.
 */
export async function workAfter(
  header: (name: string) => string | null | undefined,
  credits: Charge,
  work: () => Promise<AdapterAnswer>,
): Promise<void> {
  const after: (task: Promise<unknown> | (() => unknown)) => void = Reflect.get(server, "after");
  const { throws = false } = JSON.parse(header("x-plan") ?? "{}");
  if (throws) {
    after(() => {});
    await work();
  }
  after(header("x-after") === "promise" ? work() : work);
  const ends = header("x-ends");
  if (ends === "left") await new Promise((resolve) => credits.signal.addEventListener("abort", resolve));
  if (ends === "throws") throw new Error("the handler throws, and has called after()");
}
