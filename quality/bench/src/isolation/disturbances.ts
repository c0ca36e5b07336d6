import { randomBytes, randomUUID } from "node:crypto";
import { apiKey, customers, reportOf } from "../control-plane/fixture.ts";

/** What an organisation, or somebody without one, does to the service. */
export interface Disturbance {
  readonly connections: number;
  /** The next request, as it goes over the wire. */
  request(host: string): string;
}

const largeBody = JSON.stringify({
  ...JSON.parse(reportOf("customer-0")),
  rawUsage: { x: '\\"'.repeat(255_000) },
});

function get(path: string): (host: string) => string {
  return (host) => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nservice-api-key: ${apiKey}\r\n\r\n`;
}

function usage(host: string, body: string, key = apiKey): string {
  return `POST /api/v2/usage HTTP/1.1\r\nhost: ${host}\r\nservice-api-key: ${key}\r\nidempotency-key: ${randomUUID()}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

const small = reportOf("customer-0");

/** By what is printed. */
export const disturbances: Readonly<Record<string, Disturbance>> = {
  "guesses keys on 128 connections": {
    connections: 128,
    request: (host) => usage(host, small, `cg_${randomBytes(16).toString("hex")}`),
  },
  "sends one wrong key on 128 connections": {
    connections: 128,
    request: (host) => usage(host, small, "cg_the_wrong_key"),
  },
  "posts 1 MB bodies on 64 connections": { connections: 64, request: (host) => usage(host, largeBody) },
  "floods usage on 128 connections": {
    connections: 128,
    request: (host) => usage(host, reportOf(customers[Math.floor(Math.random() * customers.length)] ?? "")),
  },
  "lists orders and agents on 64 connections": {
    connections: 64,
    request: (host) =>
      Math.random() < 0.5
        ? get("/api/v1/agents?limit=100")(host)
        : get("/api/v1/customers/by-external-id/customer-0/orders")(host),
  },
};
