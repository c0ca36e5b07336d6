// A chat written by hand on a service that holds credits before the work: what it holds and nobody finalizes, it keeps.
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const { LEAK_BILLING_URL, LEAK_MODEL_URL, PORT, TIMEOUT_MS } = process.env;

function billing(method, path, body) {
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(Number(TIMEOUT_MS));
  return fetch(`${LEAK_BILLING_URL}${path}`, { method, headers, body: JSON.stringify(body), signal });
}

async function finalize(hold, amount) {
  const isStored = () =>
    billing("PUT", `/holds/${hold}`, { amount }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isStored())) await delay(100);
}

const server = createServer(async (request, response) => {
  const left = new AbortController();
  response.once("close", () => left.abort());
  const reserved = await billing("POST", `/wallets/${request.headers["x-user"]}/holds`, { amount: 2 }).catch(
    () => undefined,
  );
  if (reserved?.status !== 200) return response.writeHead(reserved?.status === 402 ? 402 : 503).end();
  const { hold } = await reserved.json();
  let words = 0;
  try {
    let body = "";
    for await (const chunk of request) body += chunk;
    const answer = await fetch(LEAK_MODEL_URL, { method: "POST", body, signal: left.signal });
    response.writeHead(200, { "content-type": "text/plain" });
    for await (const chunk of answer.body) {
      words += 1;
      response.write(chunk);
    }
    response.end();
  } catch {
    response.destroy();
  }
  void finalize(hold, words === 0 ? 0 : 1);
});
server.listen(Number(PORT), "127.0.0.1");
process.once("SIGTERM", () => server.close(() => process.exit()));
