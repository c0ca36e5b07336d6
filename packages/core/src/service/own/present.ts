export { ownUpstream } from "./own-service.ts";

/** It is here already. */
export function installOwnService(_upstream: unknown): void {}
