import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export const postmasterFile = "postmaster.pid";

/** The process that a lock file in a data directory names; it may be gone, and its number may be another's by now. */
export async function recordedPid(
  dataDirectory: string,
  file: string = postmasterFile,
): Promise<number | undefined> {
  const text = await readFile(path.join(dataDirectory, file), "utf8").catch(() => "");
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}

/** Whether the process is a PostgreSQL on this data directory, as opposed to one that got the number of a dead one. */
export async function isPostmaster(pid: number, dataDirectory: string): Promise<boolean> {
  const command = await commandLine(pid);
  return command.includes("postgres") && command.includes(dataDirectory);
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === "linux") {
    return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ");
  }
  const { stdout } = await run("ps", ["-o", "args=", "-p", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout;
}
