import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tell } from "../control-plane/child.ts";

/** Answers each report as the service does, at once, and keeps nothing. */
const server = createServer((request, response) => {
  const key = request.headers["idempotency-key"] ?? "";
  request.resume().on("end", () => {
    response.writeHead(201, {
      "content-type": "application/json",
      "idempotency-key": key,
      "creditgate-usage-batch": "500",
    });
    response.end('{"id":"1c0b6f0c-7a44-4c5f-9a3e-5d2f1f1f3c11","status":"accepted","credits":1.5}');
  });
});
await once(server.listen(0, "127.0.0.1"), "listening");
tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
