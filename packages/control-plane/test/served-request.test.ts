import { request } from "node:http";
import express from "express";
import { expect, it } from "vitest";
import { listen } from "../src/http/listener.ts";
import { type ServedRequest, watchRequest } from "../src/http/served-request.ts";

it("names the path that was asked for, also of what a folder below it answers, and no query, token or password", async () => {
  const app = express().use(
    "/dashboard",
    express.Router().get("/sign-in", (_request, response) => response.end()),
  );
  const served: ServedRequest[] = [];
  const listener = await listen(
    (request, response) => {
      watchRequest(request, response, 0, (ended) => served.push(ended));
      app(request, response);
    },
    { host: "127.0.0.1", port: 0 },
  );
  try {
    const paths = ["/dashboard/sign-in?a=b", "/dashboard/sign-in#token=c", "http://d:e@f/dashboard/sign-in"];
    for (const path of paths) {
      await new Promise((resolve) =>
        request(listener.url, { path }, (response) => response.resume().once("end", resolve)).end(),
      );
    }
    await expect.poll(() => served).toHaveLength(paths.length);
    expect(served.map(({ status, path }) => [status, path])).toEqual(
      paths.map(() => [200, "/dashboard/sign-in"]),
    );
  } finally {
    await listener.drain(0);
  }
});
