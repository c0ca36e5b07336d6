import type { Server } from "node:http";
import type { Counter } from "prom-client";
import type { Clock } from "../time/clock.ts";
import { sourceOf } from "./source-address.ts";

/** A connection that was closed as it came. */
export interface RefusedConnection {
  /** Whether its address had as many as it may, or all clients together. */
  readonly reason: "address" | "all";
  readonly address: string;
}

interface ConnectionLimits {
  /** Connections at once; more are closed as they come. */
  readonly maxConnections: number;
  /** Of one address, so that it leaves some to the others. */
  readonly maxPerAddress: number;
  /** From the start of a connection or request to the end of its head, in milliseconds. */
  readonly headTimeoutMs: number;
  readonly onRefused: ((connection: RefusedConnection) => void) | undefined;
}

/** From this part of all connections on a silent one is ended sooner, by this factor. */
const crowded = { from: 0.5, factor: 5 };

/** Bounds the connections of a server, and lets go of silent ones sooner where there are many. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const { maxConnections, maxPerAddress, headTimeoutMs, onRefused } = limits;
  const perAddress = new Map<string, number>();
  let open = 0;
  server.maxConnections = maxConnections;
  const count = (address: string, change: 1 | -1): void => {
    const left = (perAddress.get(address) ?? 0) + change;
    if (left === 0) perAddress.delete(address);
    else perAddress.set(address, left);
    open += change;
    const isCrowded = open >= maxConnections * crowded.from;
    server.headersTimeout = isCrowded ? Math.ceil(headTimeoutMs / crowded.factor) : headTimeoutMs;
  };
  server.on("connection", (socket) => {
    const address = sourceOf(socket.remoteAddress);
    if ((perAddress.get(address) ?? 0) >= maxPerAddress) {
      socket.destroy();
      onRefused?.({ reason: "address", address });
      return;
    }
    count(address, 1);
    socket.once("close", () => count(address, -1));
  });
  server.on("drop", (dropped) => onRefused?.({ reason: "all", address: sourceOf(dropped?.remoteAddress) }));
}

/** Refusals come by the thousand: the first is logged, and the next only after none for so long. */
const quietMs = 60_000;

/** Counts refused connections, and reports the first of a row. */
export function createRefusedConnections(
  refused: Counter,
  clock: Clock,
  onNotice: (line: string) => void,
): (connection: RefusedConnection) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ reason, address }) => {
    refused.inc({ reason });
    const now = clock.now();
    if (now - last > quietMs) onNotice(`connections: some are refused: ${words(reason, address)}`);
    last = now;
  };
}

function words(reason: RefusedConnection["reason"], address: string): string {
  return reason === "all"
    ? `there are as many as --max-clients allows; the last came from ${address}.`
    : `${address} has half of --max-clients, and the others need the rest. If it is a proxy, set --trusted-proxies.`;
}
