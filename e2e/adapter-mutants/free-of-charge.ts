import type { Charge } from "@creditgate/core";

/** For work that no gate has admitted. */
export const freeOfCharge: Charge = {
  open: false,
  reported: [],
  get signal() {
    return new AbortController().signal;
  },
  report: () => {},
  settle: async () => {},
  release: () => {},
  leave: () => {},
  beforeBill: () => () => {},
  endCalls: () => {},
};
