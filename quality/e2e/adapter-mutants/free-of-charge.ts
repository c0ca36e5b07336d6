import type { Charge } from "@creditgate/core";

/** For work that no gate has admitted. */
export const freeOfCharge: Charge = {
  open: false,
  reported: [],
  held: 0,
  get signal() {
    return new AbortController().signal;
  },
  extend: async () => ({ allowed: true }),
  report: () => {},
  settle: async () => {},
  release: () => {},
  disconnect: () => {},
  beforeBill: () => () => {},
  endCalls: () => {},
};
