import { initPostgresStore } from "@creditgate/postgres";
import { type Cluster, createCluster } from "../../../packages/postgres/test/cluster.ts";
import { reservationsOf } from "./postgres-stores.ts";
import type { StoreServer } from "./store-server.ts";
import { startSwitchProxy } from "./switch-proxy.ts";

/** A primary and its replica, behind an address that moves. */
export interface PostgresPair extends StoreServer {
  readonly cluster: Cluster;
  /** From here on the address leads to the replica. */
  lead(): void;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const cluster = await createCluster();
  const proxy = await startSwitchProxy(socketOf(cluster.primary.options.connectionString));
  return {
    cluster,
    connection: { kind: "postgres", url: `postgres://creditgate@127.0.0.1:${proxy.port}/postgres` },
    async init(schema) {
      await initPostgresStore({ sql: cluster.primary, schema });
      await cluster.caughtUp();
    },
    out: (schema) => reservationsOf(cluster.replica, schema),
    lead: () => proxy.lead(socketOf(cluster.replica.options.connectionString)),
    async stop() {
      await proxy.close();
      await cluster.close();
    },
  };
}

/** The file by which a server of our own is reached. */
function socketOf(url = ""): string {
  const { hostname, port } = new URL(url);
  return `${decodeURIComponent(hostname)}/.s.PGSQL.${port || "5432"}`;
}
