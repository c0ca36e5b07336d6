import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readConfig } from "../src/cli/config.ts";

const unit = readFileSync(
  fileURLToPath(new URL("../operations/creditgate@.service", import.meta.url)),
  "utf8",
);
const settings = new Map(
  [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
);

describe("creditgate@.service", () => {
  it("starts the command as it is, as a server and as a worker", () => {
    const [node, script = "", ...args] = settings.get("ExecStart")?.split(" ") ?? [];
    expect(node).toBe("/usr/bin/node");
    const root = fileURLToPath(new URL("../../..", import.meta.url));
    for (const file of [script, settings.get("Documentation")?.replace("file:", "") ?? ""]) {
      expect(existsSync(file.replace("/opt/creditgate/", root)), file).toBe(true);
    }
    expect(args).toEqual(["%i", "$ARGUMENTS"]);
    for (const command of ["serve", "worker"]) {
      const config = readConfig([command], { DATABASE_URL: "postgres://a:b@host/creditgate" });
      if (!("stopTimeoutMs" in config)) throw new Error(`${command} has a time to stop in`);
      expect(config.stopTimeoutMs).toBeLessThan(Number(settings.get("TimeoutStopSec")) * 1_000);
    }
  });

  it("is what systemd takes, where it is installed, and leaves little open", async ({ skip }) => {
    skip(spawnSync("systemd-analyze", ["--version"]).error !== undefined, "systemd-analyze is missing");
    const folder = await mkdtemp(path.join(tmpdir(), "creditgate-systemd-"));
    try {
      const file = path.join(folder, "creditgate@.service");
      // What it names is asked for, too: here node is elsewhere, and the page is not installed.
      const here = unit.replace("/usr/bin/node", process.execPath).replace(/^Documentation=.*\n/m, "");
      await writeFile(file, here);
      const verified = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
      expect(verified).toMatchObject({ status: 0, stderr: "" });
      const open = spawnSync(
        "systemd-analyze",
        ["security", "--offline=true", "--threshold=20", "--no-pager", file],
        { encoding: "utf8" },
      );
      expect(open.status, open.stdout).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
