import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../src/testing/index.ts";
import { creditgate, openWorkplace, type Workplace } from "./serve-process.ts";

let workplace: Workplace;
beforeAll(async () => {
  workplace = await openWorkplace();
});
afterAll(() => workplace.remove());

describe("creditgate", () => {
  it("prints its options with --help, its version with --version", async () => {
    const [help, version] = await Promise.all([creditgate(["--help"]).exit, creditgate(["--version"]).exit]);
    expect(help).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("--settlement-delay MS"),
    });
    expect(version).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it.each([
    [[], "command: expected serve, received none"],
    [["server"], "command: expected serve, received server"],
    [["serve", "now"], "command line: expected options only after serve, received now"],
    [
      ["serve", "--prot", "1"],
      "option: expected one of --port, --host, --data, --fixture, --settlement-delay, --help, --version, received --prot",
    ],
    [["serve", "--port"], "--port: expected a value, received none"],
    [["serve", "--port", "65536"], "--port: expected a whole number from 0 to 65535, received 65536"],
    [["serve", "--port", "http"], "--port: expected a whole number from 0 to 65535, received http"],
    [["serve", "--port", "1", "--port", "2"], "--port: expected once, received it twice"],
    [
      ["serve", "--settlement-delay=-1"],
      "--settlement-delay: expected a whole number from 0 to 86400000, received -1",
    ],
    [
      ["serve", "--fixture", "missing.json"],
      "--fixture: expected a file that can be read, received missing.json (ENOENT)",
    ],
    [["serve", "--data", ""], "--data: expected a value, received an empty one"],
    [["serve", "--help=yes"], "--help: expected no value, received yes"],
  ])("ends with 2 and says option, expected and received: %j", async (args, message) => {
    const { code, stdout, stderr } = await creditgate(args).exit;
    expect(stderr).toBe(`creditgate: ${message}\ncreditgate --help shows the options.\n`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  it("ends with 2 for a fixture that is wrong, and for one that is no JSON", async () => {
    await writeFile(`${workplace.fixture}.wrong`, '{"organization":{"name":1}}');
    const wrong = await creditgate(["serve", "--fixture", `${workplace.fixture}.wrong`]).exit;
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("organization.name: expected string, received number");
    await writeFile(`${workplace.fixture}.broken`, "{");
    const broken = await creditgate(["serve", "--fixture", `${workplace.fixture}.broken`]).exit;
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain("--fixture: expected JSON in ");
  });

  it("ends with 2 for a DATABASE_URL that is none, and does not repeat it", async () => {
    const { code, stderr } = await creditgate(["serve"], { DATABASE_URL: "mysql://u:s3cret@h/d" }).exit;
    expect(code).toBe(2);
    expect(stderr).toContain("DATABASE_URL: expected a URL such as postgres://");
    expect(stderr).not.toContain("s3cret");
  });

  it("ends with 1 for a PostgreSQL that does not answer, without a stack trace", async () => {
    const { code, stderr } = await creditgate(["serve"], {
      DATABASE_URL: "postgres://u:s3cret@127.0.0.1:1/d",
    }).exit;
    expect(code).toBe(1);
    expect(stderr).toBe(
      "creditgate: DATABASE_URL: expected a PostgreSQL that can be reached, received: ECONNREFUSED\n",
    );
  });

  it("ends with 1 for a port in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const database = await createTestDatabase();
    const { code, stderr } = await creditgate(["serve", "--port", port], {
      DATABASE_URL: database.databaseUrl,
    }).exit;
    other.close();
    await database.drop();
    expect(code).toBe(1);
    expect(stderr).toContain(`--port: expected a free port, received ${port}, which is in use on 127.0.0.1.`);
  });
});
