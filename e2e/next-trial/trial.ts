import { type AdapterRoute, adapterRoutes, createAdapterApp } from "@creditgate/core/testing";

const controlPlaneUrl = process.env.CONTROL_PLANE_URL ?? "http://127.0.0.1:1";

/** The app on trial, for requests of this router. */
export const trialOf = <Request>(header: (request: Request, name: string) => string | null | undefined) =>
  createAdapterApp(controlPlaneUrl, header);

/** One handler for each route, by its name. */
export function eachRoute<Handler>(create: (route: AdapterRoute) => Handler): ReadonlyMap<string, Handler> {
  return new Map(adapterRoutes.map((route) => [route, create(route)]));
}
