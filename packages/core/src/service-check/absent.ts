import type { Finding } from "@creditgate/client";

/** In a bundle for the edge, where each byte is loaded with each isolate, in the place of the checks. */
export async function checkService(): Promise<readonly Finding[]> {
  return [
    {
      name: "service",
      ok: undefined,
      message: "a bundle for the edge has no checks",
      fix: "run creditgate doctor",
    },
  ];
}

/** Nor does it look whether a gate is set up well: nothing outlasts a request there. */
export function watchSetup(): undefined {}
export function expectWork(): void {}
