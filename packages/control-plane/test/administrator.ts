import { randomUUID } from "node:crypto";
import { connect } from "../src/database/connection.ts";
import { caller, type Received } from "./caller.ts";

/** Who holds an admin token. Paths are those below `/admin/api`. */
export interface Admin {
  get(path: string): Promise<Received>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Received>;
  organizationId(name: string): Promise<string>;
  /** A new customer of the plane's organisation, with a wallet if one is described; resolves its external ID. */
  newCustomer(
    plane: { readonly baseUrl: string; readonly apiKey: string },
    wallet?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
  query(databaseUrl: string, statement: string): Promise<unknown[]>;
}

export function administrator(baseUrl: string, token: string): Admin {
  const call = caller({ baseUrl, apiKey: "none" });
  const authorization = `Bearer ${token}`;
  const admin: Admin = {
    get: (path) => call("GET", `/admin/api${path}`, { headers: { authorization } }),
    post: (path, body, headers = {}) =>
      call("POST", `/admin/api${path}`, {
        headers: { ...headers, authorization },
        ...(body === undefined ? {} : { body }),
      }),
    async organizationId(name) {
      const { organizations } = (await admin.get("/organizations")).json as {
        organizations: { organizationId: string; name: string }[];
      };
      return organizations.find((organization) => organization.name === name)?.organizationId ?? "";
    },
    async newCustomer(plane, wallet) {
      const externalId = randomUUID();
      const body = { externalId, name: "Customer" };
      await caller(plane)("POST", "/api/v1/customers/create-or-get", { body });
      if (wallet === undefined) return externalId;
      const path = `/organizations/${await admin.organizationId("Acme")}/customers/${externalId}/wallets`;
      await admin.post(path, wallet);
      return externalId;
    },
    async query(databaseUrl, statement) {
      const { pool, close } = connect(databaseUrl);
      try {
        return (await pool.query(statement)).rows;
      } finally {
        await close();
      }
    },
  };
  return admin;
}
