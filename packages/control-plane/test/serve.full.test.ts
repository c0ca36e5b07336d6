import { execFile } from "node:child_process";
import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { usageOf } from "./caller.ts";
import { creditgate, openWorkplace, type Program, serve, type Workplace } from "./serve-process.ts";

/** Data as a server has left them that was started on new ones, and stopped. */
let filled: Workplace;
beforeAll(async () => {
  filled = await openWorkplace();
  await stop(await serve(filled));
});
afterAll(() => filled.remove());
/** Copies them, with their owner: to make new ones takes longer than all else. */
const fill = () => promisify(execFile)("cp", ["-a", filled.data, workplace.data]);

let workplace: Workplace;
beforeEach(async () => {
  workplace = await openWorkplace();
});
afterEach(async () => {
  // What a test has left running ends here, PostgreSQL with it.
  if (await isAlive(await postmaster())) await stop(await serve(workplace));
  await workplace.remove();
});

const available = async ({ call }: Awaited<ReturnType<typeof serve>>): Promise<unknown> => {
  const { text } = await call("GET", "/api/v1/wallet/balance?customer_id=alice");
  return /"available":([\d.]+)/.exec(text)?.[1];
};

async function stop(program: Program, signal: NodeJS.Signals = "SIGTERM") {
  program.process.kill(signal);
  return program.exit;
}

async function postmaster(): Promise<number> {
  const file = path.join(workplace.data, "postgres", "postmaster.pid");
  return Number.parseInt(await readFile(file, "utf8").catch(() => "0"), 10);
}

async function isAlive(pid: number): Promise<boolean> {
  if (pid === 0) return false;
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (state !== undefined) return !/\) Z /.test(state);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const ended = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false);

/** Resolves when the server takes no new connections. */
const closed = (baseUrl: string) =>
  expect
    .poll(() => fetch(`${baseUrl}/health`, { headers: { connection: "close" } }).catch(() => "closed"), {
      timeout: 10_000,
    })
    .toBe("closed");

describe("creditgate serve", () => {
  it("prints a link for the first owner and one line when it is ready, ends with 0 on SIGTERM, and has kept what it accepted, but not told the key", async () => {
    const first = await serve(workplace, "--settlement-delay", "60000");
    expect((await first.call("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
    const pid = await postmaster();
    expect((await first.call("POST", "/api/v2/usage", { text: "{" })).status).toBe(400);
    const tokenFile = path.join(workplace.data, "admin-token");
    const token = (await readFile(tokenFile, "utf8")).trim();
    expect((await stat(tokenFile)).mode & 0o777).toBe(0o600);
    // The folder that it has made keeps its token out of a repository.
    expect(await readFile(path.join(workplace.data, ".gitignore"), "utf8")).toBe("*\n");
    const admin = { headers: { authorization: `Bearer ${token}` } };
    expect((await first.call("GET", "/admin/api/organizations", admin)).status).toBe(200);
    const { code, signal, stdout, stderr } = await stop(first);
    const log = await readFile(path.join(workplace.data, "postgres.log"), "utf8");
    expect(`${stdout}${stderr}${log}`).not.toContain("cg_test_local");
    expect(`${stdout}${stderr}${log}`).not.toContain(token);
    expect({ code, signal, stderr }).toEqual({ code: 0, signal: null, stderr: "" });
    expect(stdout).toMatch(
      /^creditgate first owner \(works once, for a day\): http:\/\/127\.0\.0\.1:\d+\/dashboard\/welcome#token=cgl_[\w-]{43}\ncreditgate dashboard (on http:\/\/127\.0\.0\.1:\d+\/dashboard|is not here, to have it: npm run build:dashboard)\ncreditgate listening on http:\/\/127\.0\.0\.1:\d+ \(embedded PostgreSQL in .*, settles after 60000 ms, admin token in .*admin-token\)\n$/,
    );
    expect(await isAlive(pid)).toBe(false);

    const second = await serve(workplace, "--settlement-delay", "0");
    expect(await available(second)).toBe("100");
    expect((await second.call("GET", "/admin/api/organizations", admin)).status).toBe(200);
    expect((await stop(second)).code).toBe(0);
  });

  it("answers the request in flight before it ends, and PostgreSQL after that, on Ctrl-C in a terminal", async () => {
    await fill();
    const server = await serve(workplace);
    const text = JSON.stringify(usageOf());
    const socket = connectSocket(Number(new URL(server.baseUrl).port), "127.0.0.1");
    socket.write(
      `POST /api/v2/usage HTTP/1.1\r\nhost: x\r\nservice-api-key: cg_test_local\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text.slice(0, 9)}`,
    );
    // The server has the head of the request once it has answered a later one.
    await server.call("GET", "/api/v1/agents");
    process.kill(-(server.process.pid ?? 0), "SIGINT");
    await closed(server.baseUrl);
    const answer = new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
    socket.write(text.slice(9));
    expect(await answer).toMatch(/^HTTP\/1.1 202 /);
    expect(await server.exit).toMatchObject({ code: 0, stderr: "" });
    expect(await postmaster()).toBe(0);
  });

  it("ends at once on a second signal", async () => {
    await fill();
    const server = await serve(workplace);
    const socket = connectSocket(Number(new URL(server.baseUrl).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("POST /api/v2/usage HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n");
    await server.call("GET", "/api/v1/agents");
    const pid = await postmaster();
    server.process.kill("SIGTERM");
    await closed(server.baseUrl);
    server.process.kill("SIGTERM");
    expect((await server.exit).code).toBe(143);
    await ended(pid);
  });

  it("takes over the PostgreSQL that a kill -9 has left running, and settles what was accepted", async () => {
    await fill();
    const first = await serve(workplace, "--settlement-delay", "300");
    await first.call("POST", "/api/v2/usage", { body: usageOf() });
    const pid = await postmaster();
    expect((await stop(first, "SIGKILL")).signal).toBe("SIGKILL");
    expect(await isAlive(pid)).toBe(true);

    const second = await serve(workplace);
    expect(await postmaster()).toBe(pid);
    await expect.poll(() => available(second)).toBe("98.934");
    expect((await stop(second)).code).toBe(0);
    expect(await isAlive(pid)).toBe(false);
  });

  it("recovers when PostgreSQL was killed too, though another process has its number by now", async () => {
    await fill();
    const first = await serve(workplace);
    const pid = await postmaster();
    await first.call("POST", "/api/v2/usage", { body: usageOf() });
    await stop(first, "SIGKILL");
    process.kill(pid, "SIGKILL");
    await ended(pid);
    for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"]) {
      const file = path.join(workplace.data, "postgres", name);
      await writeFile(file, (await readFile(file, "utf8")).replace(/^\d+/, String(process.pid)));
    }

    const second = await serve(workplace);
    await expect.poll(() => available(second)).toBe("98.934");
    expect((await stop(second)).code).toBe(0);
  });

  it("refuses data that another serve is using, and names its process", async () => {
    await fill();
    const first = await serve(workplace);
    const second = await creditgate(["serve", "--port", "0", "--data", workplace.data]).exit;
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(
      `is in use by creditgate serve, process ${first.process.pid}. Stop it, or use another --data`,
    );
    expect((await first.call("GET", "/api/v1/agents")).status).toBe(200);
    expect((await stop(first)).code).toBe(0);
  });

  it("starts once when two begin on new data at the same time", async () => {
    const args = ["serve", "--port", "0", "--data", workplace.data];
    const programs = [creditgate(args), creditgate(args)];
    const ready = programs.map((program) => program.printed(/listening/).then(() => program));
    const winner = await Promise.any(ready);
    const results = await Promise.allSettled(ready);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect((await stop(winner)).code).toBe(0);
  });

  it("starts PostgreSQL again when it dies, answering 503 with Retry-After until then", async () => {
    await fill();
    const server = await serve(workplace);
    const pid = await postmaster();
    process.kill(pid, "SIGKILL");
    const answers: string[] = [];
    const ask = async () => {
      const { status, headers } = await server.call("GET", "/api/v1/wallet/balance?customer_id=alice");
      answers.push(`${status} ${headers.get("retry-after")}`);
      return answers.at(-1);
    };
    await expect.poll(async () => (await postmaster()) !== pid && (await ask())).toBe("200 null");
    expect(new Set([...answers, "503 1", "200 null"])).toEqual(new Set(["503 1", "200 null"]));
    expect((await server.call("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
    await expect.poll(() => available(server)).toBe("98.934");
    expect((await stop(server)).code).toBe(0);
  });

  it("says what PostgreSQL said when it cannot start, and refuses data of another version", async () => {
    await fill();
    const folder = path.join(workplace.data, "postgres");
    const again = () => creditgate(["serve", "--port", "0", "--data", workplace.data]).exit;
    await appendFile(path.join(folder, "postgresql.conf"), "\nno_such_setting = 1\n");
    expect(await again()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unrecognized configuration parameter "no_such_setting"'),
    });
    await writeFile(path.join(folder, "PG_VERSION"), "12\n");
    expect(await again()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("expected data of PostgreSQL 18, received 12"),
    });
  });
});
