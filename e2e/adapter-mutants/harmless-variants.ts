import type { AdapterOnTrial } from "@creditgate/core/testing";
import { nodeAdapter } from "./node-adapter.ts";
import { webAdapter } from "./web-adapter.ts";

/** Adapters that may look wrong and are right. */
export const harmlessVariants: Readonly<Record<string, AdapterOnTrial["start"]>> = {
  "is right, for web handlers": webAdapter(),
  "is right, for Node's handlers": nodeAdapter(),
  // A charge is settled once, by whoever is first.
  "settles twice": webAdapter(() => ({
    admitted: (admission) => ({
      ...admission,
      async end(how) {
        await Promise.all([admission.end(how), admission.end("completed")]);
      },
    }),
  })),
  "gives the hold back after it has settled": webAdapter(() => ({
    admitted: (admission) => ({
      ...admission,
      async end(how) {
        await admission.end(how);
        admission.credits.release();
      },
    }),
  })),
  // Nothing can happen between its look at the client and its listening.
  "listens for the end once the gate has decided": nodeAdapter({ listens: "when admitted" }),
};
