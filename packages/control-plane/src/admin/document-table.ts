import {
  type DocumentEndpoints,
  issuerSetRequest,
  type PrintEndpoints,
  partQuery,
} from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import { isTimeZone } from "../periods/settings.ts";
import type { AdminServed } from "./roles.ts";

type Endpoints = DocumentEndpoints & PrintEndpoints;

type DocumentTable = { readonly [Of in keyof Endpoints]: AdminServed & Readers<Endpoints[Of]> };

/** Invoices and credit notes on paper, and who issues them. */
export const documentTable: DocumentTable = {
  invoicePrint: { scope: "read" },
  creditNotePrint: { scope: "read" },
  issuerList: { scope: "read", query: { schema: partQuery } },
  issuerSet: {
    scope: "owner",
    body: {
      schema: issuerSetRequest.refine(({ timeZone }) => timeZone === undefined || isTimeZone(timeZone), {
        path: ["timeZone"],
        message: "expected a time zone such as Europe/Amsterdam",
      }),
    },
  },
};
