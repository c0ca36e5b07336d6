import { type Endpoints, endpoints } from "@creditgate/client";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bodyName, createDocument, operationNames } from "../src/openapi/document.ts";
import { operations } from "../src/routes/table.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Caller, caller, type Received } from "./caller.ts";
import { acme } from "./fixture.ts";

const names = operationNames();
const document = createDocument("1.2.3");
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "openapi");

let plane: TestControlPlane;
let call: Caller;
beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme });
  call = caller(plane);
});
afterAll(() => plane.stop());

/** Ids that exist only once they are made, in place of the documented ones. */
const made: Record<string, unknown> = {};

function pathOf(name: keyof Endpoints, leftOut?: string): string {
  const { path = {}, query } = operations[name];
  const filled = Object.entries(path).reduce(
    (text, [parameter, example]) => text.replace(`{${parameter}}`, String(made[parameter] ?? example)),
    endpoints[name].path,
  );
  const kept = Object.entries(query?.example ?? {}).filter(([parameter]) => parameter !== leftOut);
  return `${filled}?${new URLSearchParams(kept.map(([parameter, value]) => [parameter, String(value)]))}`;
}

function ask(name: keyof Endpoints, body: unknown = operations[name].body?.example): Promise<Received> {
  return call(endpoints[name].method, pathOf(name), body === undefined ? {} : { body });
}

function expectDocumented(name: keyof Endpoints, { status, json, headers }: Received): void {
  const { path, method } = endpoints[name];
  const pointer = `${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method.toLowerCase()}/responses/${status}`;
  const type = headers.get("content-type")?.split(";", 1)[0] ?? "";
  const schema = `openapi#/paths/${encodeURI(pointer)}/content/${type.replaceAll("/", "~1")}/schema`;
  const validate = ajv.compile({ $ref: schema });
  expect(validate(json), `${name} ${status} ${JSON.stringify(validate.errors)}`).toBe(true);
}

/** Every field that a body must have, by its JSON pointer, with a body that lacks it. */
function bodiesWithout(name: keyof Endpoints): { pointer: string; body: unknown }[] {
  const { body } = operations[name];
  if (body === undefined) return [];
  // Each report of a batch is answered by itself.
  const ofWhole = (path: readonly unknown[]) =>
    name !== "usageBatch" || path.length < 3 || (path.length === 3 && path[2] === "key");
  return required(document.components.schemas[bodyName(name)], [])
    .filter(ofWhole)
    .map((path) => ({
      pointer: `/${path.join("/")}`,
      body: without(body.example, path),
    }));
}

function required(schema: unknown, path: readonly (string | number)[]): (string | number)[][] {
  if (typeof schema !== "object" || schema === null) return [];
  const {
    required: fields = [],
    properties = {},
    items,
  } = schema as {
    required?: string[];
    properties?: Record<string, unknown>;
    items?: unknown;
  };
  return [
    ...fields.map((field) => [...path, field]),
    ...Object.entries(properties).flatMap(([field, property]) => required(property, [...path, field])),
    ...required(items, [...path, 0]),
  ];
}

function without(value: unknown, [key, ...rest]: readonly (string | number)[]): unknown {
  const copy = structuredClone(value) as Record<string | number, unknown>;
  if (key === undefined) return copy;
  if (rest.length === 0) delete copy[key];
  else copy[key] = without(copy[key], rest);
  return copy;
}

describe("the OpenAPI document", () => {
  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result).toMatchObject({ valid: true });
    expect(document.openapi).toMatch(/^3\.1\./);
  });

  it("has the operations of the contract, each under its name", () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(ids.toSorted()).toEqual(Object.keys(endpoints).toSorted());
    expect(ids).toHaveLength(20);
  });

  it("is served without a key, as it is", async () => {
    const response = await fetch(`${plane.baseUrl}/openapi.json`);
    const served = await response.json();
    expect({ ...served, info: document.info }).toEqual(JSON.parse(JSON.stringify(document)));
  });
});

describe.each(names)("%s, as documented", (name) => {
  it("succeeds with its example, and answers what its schema says", async () => {
    const received = await ask(name);
    expect(Object.keys(operations[name].answers)).toContain(String(received.status));
    expectDocumented(name, received);
    if (name === "orderCreate") {
      made.order_id = received.json.orderId;
      const { invoices } = received.json as { invoices: { invoiceId: string }[] };
      made.invoice_id = invoices[0]?.invoiceId;
    }
  });

  it("answers 401 without a key", async () => {
    const response = await fetch(`${plane.baseUrl}${pathOf(name)}`, { method: endpoints[name].method });
    expect(response.status).toBe(401);
  });

  it("answers 400 that names each required field that is missing", async () => {
    for (const { pointer, body } of bodiesWithout(name)) {
      const received = await ask(name, body);
      expect(received.status, pointer).toBe(400);
      expect(received.json.errors).toContainEqual(expect.objectContaining({ pointer }));
      expectDocumented(name, received);
    }
    const parameters =
      document.paths[endpoints[name].path]?.[endpoints[name].method.toLowerCase()]?.parameters;
    for (const parameter of (parameters ?? []) as { name: string; in: string; required: boolean }[]) {
      if (parameter.in !== "query" || !parameter.required) continue;
      const received = await call(endpoints[name].method, pathOf(name, parameter.name));
      expect(received.status).toBe(400);
      expect(received.json.errors).toContainEqual(expect.objectContaining({ pointer: parameter.name }));
    }
  });
});

describe("the reference page", () => {
  it.each([
    ["/docs", "/openapi.json"],
    ["/admin/docs", "/admin/openapi.json"],
  ])("%s shows each operation of %s, with what it takes and answers", async (page, source) => {
    const html = await (await fetch(`${plane.baseUrl}${page}`)).text();
    const { paths, components } = (await (
      await fetch(`${plane.baseUrl}${source}`)
    ).json()) as typeof document;
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const {
          operationId,
          requestBody,
          parameters = [],
        } = operation as {
          operationId: string;
          requestBody?: unknown;
          parameters?: { name: string }[];
        };
        const schemas = components.schemas as Record<string, { properties?: object }>;
        const { properties = {} } = schemas[bodyName(operationId)] ?? {};
        const start = html.indexOf(`<section id="${operationId}">`);
        const shown = html.slice(start, html.indexOf("</section>", start));
        expect(shown).toContain(`<code><b>${method.toUpperCase()}</b> ${path}</code>`);
        expect(shown.includes("<summary>Request body</summary>")).toBe(requestBody !== undefined);
        for (const name of Object.keys(properties)) expect(shown).toContain(`<code>${name}</code>`);
        for (const { name } of parameters) expect(shown).toContain(`<code>${name} (`);
      }
    }
  });

  it.each(["/docs", "/admin/docs"])(
    "%s needs nothing else: no script, no file, no other host",
    async (path) => {
      const page = await fetch(`${plane.baseUrl}${path}`);
      const html = await page.text();
      expect(page.headers.get("content-security-policy")).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; base/,
      );
      expect(html).not.toMatch(/<script|<link|<img|@import|url\(|style=|https?:/);
    },
  );
});
