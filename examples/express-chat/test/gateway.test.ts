import { expect, it, onTestFinished } from "vitest";
import { Gateway } from "../src/demo/gateway.ts";
import { serve } from "./local-server.ts";

it("lets requests through, refuses them while it is closed, and opens again at the same address", async () => {
  const gateway = new Gateway(await serve((_, response) => response.end("billing")));
  await gateway.open();
  onTestFinished(() => gateway.close());
  const { url } = gateway;
  const ask = async () => (await fetch(url)).text();

  expect(await ask()).toBe("billing");
  await gateway.close();
  await expect(ask()).rejects.toThrow();
  await gateway.open();
  expect(gateway.url).toBe(url);
  expect(await ask()).toBe("billing");
});
