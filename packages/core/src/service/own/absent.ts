import { refuseName } from "../../values/option.ts";
import type * as present from "./own-service.ts";

// In a bundle for the edge, which has the code only if it imports `ownService`.
export let ownUpstream: typeof present.ownUpstream = () =>
  refuseName("service: pass it through ownService()");

export function installOwnService(upstream: typeof present.ownUpstream): void {
  ownUpstream = upstream;
}
