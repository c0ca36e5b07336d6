import express from "express";
import request from "supertest";
import { expect, it } from "vitest";
import { homeRoutes } from "../src/routes/home.ts";
import { startControlPlane } from "../src/testing/index.ts";
import { acme } from "./fixture.ts";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const app = (folder: string | undefined) => express().use(homeRoutes(folder));

it("leads a browser to the dashboard and the references", async () => {
  const { headers, text } = await request(app("/pages")).get("/").set("accept", browser).expect(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect([...text.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)).toEqual([
    "/dashboard",
    "/docs",
    "/admin/docs",
  ]);
});

it("has no link to pages that are not built", async () => {
  const { text } = await request(app(undefined)).get("/").set("accept", browser);
  expect(text).not.toContain("/dashboard");
});

it.each(["*/*", "application/json", "text/event-stream, application/json"])(
  "answers JSON to a client that accepts %s",
  async (accept) => {
    const { body } = await request(app("/pages")).get("/").set("accept", accept).expect(200);
    expect(body).toEqual({
      dashboard: "/dashboard",
      reference: "/docs",
      openapi: "/openapi.json",
      adminReference: "/admin/docs",
      adminOpenapi: "/admin/openapi.json",
    });
  },
);

it("leads nowhere that is not there", async () => {
  const plane = await startControlPlane({ fixture: acme });
  const { dashboard: _, ...links }: Record<string, string> = await (await fetch(plane.baseUrl)).json();
  expect(Object.keys(links)).toHaveLength(4);
  for (const link of Object.values(links))
    expect((await fetch(`${plane.baseUrl}${link}`)).status, link).toBe(200);
  await plane.stop();
});
