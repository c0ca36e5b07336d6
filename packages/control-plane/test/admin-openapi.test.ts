import { type AdminEndpoint, adminEndpoints } from "@creditgate/admin";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAdminDocument } from "../src/openapi/admin-document.ts";
import { type AdminScene, openAdminScene } from "./admin-scene.ts";

const document = createAdminDocument("1.2.3");
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, "openapi");

let scene: AdminScene;
beforeAll(async () => {
  scene = await openAdminScene();
});
afterAll(() => scene.plane.stop());

/** The lists and records that take nothing but an organisation, and what is asked of them. */
const readable = Object.values(adminEndpoints).filter(
  ({ name, method, path }) =>
    method === "GET" &&
    !path.endsWith(".csv") &&
    !path.endsWith("-feed") &&
    !/\{(?!organizationId)/.test(path) &&
    // They take a session, or a way to sign in.
    !(name in { userTokenList: 0, signInWays: 0, oidcStart: 0, oidcCallback: 0, accountRead: 0 }),
);

describe("the OpenAPI document of the admin API", () => {
  it("is valid OpenAPI 3.1", async () => {
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });

  it("has every endpoint, with its parameters, what it takes, and who may ask", () => {
    const described = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(described.map(({ operationId }) => operationId).toSorted()).toEqual(
      Object.keys(adminEndpoints).toSorted(),
    );
    for (const { name, method, path, keyed, body } of Object.values<AdminEndpoint>(adminEndpoints)) {
      const operation = document.paths[path]?.[method.toLowerCase()];
      const parameters = (operation?.parameters ?? []) as { name: string; in: string }[];
      expect([name, parameters.some((parameter) => parameter.in === "header")]).toEqual([
        name,
        keyed || name === "usageFeed",
      ]);
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(path.match(/\{[^}]+\}/g) ?? []);
      expect([name, operation?.requestBody !== undefined]).toEqual([name, body !== undefined]);
    }
  });

  it("is served without a credential", async () => {
    const response = await fetch(`${scene.plane.baseUrl}/admin/openapi.json`);
    expect({ ...(await response.json()), info: 0 }).toEqual({
      ...JSON.parse(JSON.stringify(document)),
      info: 0,
    });
  });

  it.each(readable.map(({ name, path }) => [name, path]))("says what %s answers", async (name, path) => {
    const needed: Readonly<Record<string, string>> = {
      trialBalance: "?journal=money",
      usageSums: "?by=day",
      urgentWalletList: "?urgency=low",
      usageSeries: "?by=agent&creditCurrencyKey=ai_credits",
    };
    const query = needed[name] ?? "";
    const { status, json } = await scene.admin.get(
      `${path.replace("/admin/api/organizations/{organizationId}", scene.path).replace("/admin/api", "")}${query}`,
    );
    expect(status).toBe(200);
    const pointer = encodeURI(path.replaceAll("~", "~0").replaceAll("/", "~1"));
    const schema = `openapi#/paths/${pointer}/get/responses/200/content/application~1json/schema`;
    const validate = ajv.compile({ $ref: schema });
    expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
  });
});
