import { expect, it, onTestFinished } from "vitest";
import { openShortLink } from "../src/demo/short-link.ts";

it("leads to its link, with the secret that no server sees", async () => {
  const link = "http://127.0.0.1:4000/dashboard/welcome#token=cgl_secret";
  const short = await openShortLink(link);
  onTestFinished(() => short.close());
  const response = await fetch(short.url, { redirect: "manual" });
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe(link);
});
