import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@creditgate/client";
import { expect, it, onTestFinished } from "vitest";
import { Visitor } from "../src/demo/visitor.ts";

/** A visitor with plenty of credits, at a chat that denies all once this number of questions has come. */
async function visitorDeniedAfter(questions: number): Promise<Visitor> {
  const denials: (() => void)[] = [];
  const server = createServer((_request, response) => {
    denials.push(() => response.writeHead(402).end());
    if (denials.length === questions) for (const deny of denials) deny();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const chatUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createClient({ baseUrl: chatUrl, apiKey: "cg_test_local" });
  const { signal } = new AbortController();
  const visitor = new Visitor({
    id: "vera",
    customerId: "vera",
    kind: "prepaid",
    chatUrls: [chatUrl],
    client,
    signal,
  });
  visitor.funds = 1_000_000_000;
  return visitor;
}

it("is denied wrongly when it asks alone, and can pay", async () => {
  const vera = await visitorDeniedAfter(1);
  await vera.ask(10);
  expect(vera).toMatchObject({ denied: 1, deniedWrongly: 1 });
});

it("cannot say so of a question beside which it has asked others", async () => {
  const vera = await visitorDeniedAfter(2);
  await Promise.all([vera.ask(10), vera.ask(10)]);
  expect(vera).toMatchObject({ denied: 2, deniedWrongly: 0 });
});
