import { expect, it, onTestFinished } from "vitest";
import { openDoor } from "../src/demo/door.ts";

it("leads to its link, with the secret that no server sees", async () => {
  const link = "http://127.0.0.1:4000/dashboard/welcome#token=cgl_secret";
  const door = await openDoor(link);
  onTestFinished(() => door.close());
  const response = await fetch(door.url, { redirect: "manual" });
  expect(response.status).toBe(302);
  expect(response.headers.get("location")).toBe(link);
});
