import assert from "node:assert/strict";
import { once } from "node:events"; //? express
import { createServer } from "node:http"; //? express
import { after, test } from "node:test";
import { NextRequest } from "next/server.js"; //? next
import { creditsOf, stopService } from "./service.ts";

// Only now: the gate reads where the service is.
const { app } = await import("../src/app.ts"); //? !next
const { POST } = await import("../src/app/api/chat/route.ts"); //? next
const { gate, onClosed } = await import("../src/gate.ts");

const server = createServer(app).listen(0, "127.0.0.1"); //? express
await once(server, "listening"); //? express
const address = server.address(); //? express
const url = `http://127.0.0.1:${typeof address === "object" && address?.port}`; //? express
const url = await app.listen({ port: 0, host: "127.0.0.1" }); //? fastify
//? express|fastify
after(async () => {
  server.close(); //? express
  await app.close(); //? fastify
  await gate.close();
  await onClosed(); //? stores
  await stopService();
});

async function ask(customer: string, body: unknown = { question: "What is a credit?" }): Promise<Response> {
  const request = {
    method: "POST",
    headers: { "content-type": "application/json", "x-customer": customer },
    body: JSON.stringify(body),
  };
  return fetch(`${url}/chat`, request); //? express|fastify
  return app.request("/chat", request); //? hono
  return POST(new NextRequest("http://127.0.0.1/api/chat", request), { params: Promise.resolve({}) }); //? next
}

test("streams an answer to alice, who has credits, and bills it", async () => {
  const response = await ask("alice");
  assert.equal(response.status, 200);
  let chunks = 0;
  for await (const _ of response.body ?? []) chunks += 1;
  assert.ok(chunks > 1);
  while ((await creditsOf("alice")) === 100) await new Promise((resolve) => setTimeout(resolve, 50));
});

test("answers 402 to bob, who has none, and does not call the model", async () => {
  const response = await ask("bob");
  assert.equal(response.status, 402);
  const { code } = await response.json();
  assert.equal(code, "insufficient_credits");
});

test("answers 401 to a request without a customer", async () => {
  assert.equal((await ask("")).status, 401);
});

test("answers 400 to a request without a question, and bills nothing", async () => {
  const before = await creditsOf("alice");
  const response = await ask("alice", {});
  assert.equal(response.status, 400);
  await response.text(); // work ends when its answer is read
  await gate.close();
  assert.equal(await creditsOf("alice"), before);
});
