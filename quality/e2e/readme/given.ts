// What the examples of the packages' READMEs leave to their reader: declarations before each, by package and in their order.

const express = `import type { Express } from "express"; declare const app: Express;`;
const gate = `declare const gate: import("@creditgate/core").Gate;`;
const client = `declare const client: import("@creditgate/client").Client;`;
const options = `declare const options: import("@creditgate/core").CreditsOptions<import("express").Request>;`;
const stream = `declare function model(...given: readonly unknown[]): Promise<{ stream: ReadableStream; usage: Promise<{ outputTokens: number }> }>;`;
const text = `declare function model(...given: readonly unknown[]): Promise<{ text: string; usage: { outputTokens: number } }>;`;
const session = `declare function session(): Promise<{ userId: string } | undefined>;`;
const pages = `declare const options: { customer: () => string; agentId: string; indicator: string; hold: number };`;
const openai = `import { openai } from "@ai-sdk/openai";`;
const workers = `import type { ObjectNamespace } from "@creditgate/cloudflare";
interface Env {
  WALLETS: ObjectNamespace<unknown>; BILLING_URL: string; BILLING_KEY: string; CREDITGATE_BASE_URL: string; CREDITGATE_API_KEY: string
}
interface ExecutionContext { waitUntil(work: Promise<unknown>): void }`;
const fastify = `${gate} declare const app: import("fastify").FastifyInstance; import { requireCredits } from "@creditgate/fastify";
declare const options: import("@creditgate/core").CreditsOptions<import("fastify").FastifyRequest>;`;

// What `wrangler types` writes, and what two providers of sessions export.
export const ambientModules = `declare module "cloudflare:workers" {
  export class DurableObject<Environment> { constructor(ctx: unknown, env: Environment); protected env: Environment }
  export const env: { USAGE: { sendBatch(messages: object[]): Promise<void> }; BILLING_URL: string; BILLING_KEY: string };
}
declare module "@/auth" {
  export function auth(): Promise<{ user?: { id?: string } } | null>;
}
declare module "@clerk/nextjs/server" {
  export function auth(): Promise<{ orgId?: string | null; userId: string | null }>;
}`;

/** Of the Express example: the other adapters are given a request's headers. */
export const expressYours = `export { model } from "../koa/yours.js";
export declare function userOf(request: import("express").Request): { readonly id: string } | undefined;`;

export const given: Readonly<Record<string, readonly string[]>> = {
  home: [
    `${express} ${gate} import { requireCredits } from "@creditgate/express"; import { userOf } from "../express/yours.js";`,
    `${express} ${openai} import { userOf } from "../express/yours.js";`,
    `${gate} ${pages} import type { Charge } from "@creditgate/core"; import { withCredits } from "@creditgate/next";
declare function model(...given: readonly unknown[]): Promise<{ text: string; usage: { input: number; output: number } }>;`,
    `${pages} declare const env: { BILLING_URL: string; BILLING_KEY: string }; declare function store(report: object): Promise<void>;
declare function answer(request: Request, credits: import("@creditgate/core").Charge): Promise<Response>;
import { createTransport } from "@creditgate/client"; import { createGate } from "@creditgate/core"; import { withCredits } from "@creditgate/edge";`,
    `import { createGate, type Service } from "@creditgate/core"; declare const balance: Service["balance"], report: Service["report"];`,
    `${client} import { holdFor, servicePrices } from "@creditgate/ai"; import type { Request } from "express";`,
  ],
  "docs/concepts/budgets": [
    `${express} ${gate} import { requireCredits } from "@creditgate/express";
declare function userOf(request: import("express").Request): { companyId: string; id: string; teamId: string } | undefined;`,
    `${gate} declare const customerId: string; declare const steps: readonly (() => Promise<import("@creditgate/core").Usage>)[];
import { createRunBudget } from "@creditgate/core";`,
  ],
  "docs/gate/hold": [
    `declare const credits: import("@creditgate/core").Charge; declare const response: import("express").Response;
declare function send(event: object): void;`,
  ],
  "docs/gate/own-service": [
    `declare const wallets: { find(id: string): Promise<{ credits: number } | undefined>; bill(reports: readonly object[]): Promise<undefined> };`,
    `declare const service: import("@creditgate/core").Service; declare const wallets: { add(id: string, credits: number): Promise<void> };`,
  ],
  ai: [
    `${express} ${gate} ${options.replace("options", "paid")}
import { requireCredits } from "@creditgate/express"; import type { Request, Response } from "express";`,
    `import { createOpenAI } from "@ai-sdk/openai"; import { meteredFetch, meteredOpenAI } from "@creditgate/ai"; import OpenAI from "openai6";
declare const credits: import("@creditgate/core").Charge; declare const messages: []; declare const baseURL: string;`,
  ],
  "docs/models/meter": [
    `${express} ${gate} ${options} ${openai} declare const handler: (request: Request) => Promise<Response>;
import { requireCredits } from "@creditgate/express"; import { meteredModel } from "@creditgate/ai";`,
  ],
  "docs/models/hold-for": [
    `${express} ${gate} ${options} ${client} ${openai} import type { Request } from "express"; import { requireCredits } from "@creditgate/express";
declare const model: string;`,
  ],
  "docs/models/voice-calls": [
    `${gate} ${client} ${openai} import { generateText } from "ai"; import { meteredModel } from "@creditgate/ai";
declare const phone: {
  hungUp: AbortSignal; say(call: unknown, text: string): Promise<void>; reject(denial: unknown): void;
  turns(signal: AbortSignal): AsyncIterable<{ seconds: number; question: string }>
};`,
  ],
  cloudflare: [workers],
  "docs/fleet/durable-objects": [
    `${workers} import { CreditWallets } from "@creditgate/cloudflare"; import { createTransport } from "@creditgate/client";
type DurableObjectState = import("@creditgate/cloudflare").ObjectContext;`,
    `declare const env: { WALLETS: { idFromName(name: string): object; get(id: object): import("@creditgate/cloudflare").CreditWallets } };`,
  ],
  "docs/gate/isolates": [
    `import { createGate } from "@creditgate/core"; ${client}
declare const currency: string, wallet: "prepaid", onUndelivered: () => void;`,
  ],
  "docs/gate/nextjs": [
    text,
    session,
    `${gate} ${text} ${pages}`,
    `${gate} declare const customer: () => string;`,
    gate,
  ],
  "docs/control-plane/webhooks": [
    `${express} import express from "express"; declare function handle(event: object): Promise<void>;
declare function seenOnce(id: string | undefined, handle: () => Promise<void>): Promise<void>;`,
  ],
  "docs/control-plane/tests": [
    `declare const fixture: Parameters<typeof startControlPlane>[0] extends infer Options ? NonNullable<Options> extends { fixture?: infer Fixture } ? NonNullable<Fixture> : never : never;`,
  ],
  core: [
    `declare function model(question: string): Promise<{ text: string; usage: { input: number; output: number } }>;`,
  ],
  "docs/gate/write-an-adapter": [
    `import { afterAll, beforeAll, describe, it } from "vitest";
declare const start: never, serve: never, send: never;`,
  ],
  "docs/gate/serverless": [
    `${client}
interface MessageBatch<Body> { messages: readonly { body: Body; ack(): void; retry(options: { delaySeconds: number }): void }[] }`,
  ],
  edge: [
    `${stream} declare const userOf: (request: Request) => string; declare const store: (report: object) => Promise<void>;`,
    `${gate} ${text} interface User { id: string }`,
  ],
  express: ["", `${express} ${gate} ${options} import { requireCredits } from "@creditgate/express";`],
  fastify: [
    "",
    fastify,
    `${fastify} ${openai} import { meteredModel } from "@creditgate/ai"; import { streamText } from "ai"; declare const prompt: string;`,
  ],
  koa: ["", `declare const app: import("koa");`],
  mcp: ["", `declare function tenantOf(authInfo: object | undefined): string | undefined;`],
  next: ["", `${stream} ${session}`],
  postgres: [express],
  react: [
    session,
    `${session}`,
    "",
    `declare const element: HTMLElement;`,
    `import { Hono } from "hono"; ${gate} declare function userOf(request: Request): string | undefined;`,
  ],
  redis: [express],
  sqlite: [express],
  trpc: [
    "",
    `import { type createTRPCClient, isTRPCClientError } from "@trpc/client"; import type { Router } from "./1.js";
declare const client: ReturnType<typeof createTRPCClient<Router>>; declare const question: string; declare function showTopUp(denial: object): void;`,
    `${gate} ${openai} import { meteredModel } from "@creditgate/ai"; import { requireCredits } from "@creditgate/trpc";
import { initTRPC } from "@trpc/server"; import { streamText } from "ai"; declare const prompt: string;
const what = { customer: () => "alice", agentId: "chat", indicator: "message", hold: 5 };
const creditsProcedure = initTRPC.create().procedure.use(requireCredits(gate, what));`,
  ],
};
