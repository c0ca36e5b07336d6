import { readdir, readFile } from "node:fs/promises";
import { nearestName } from "@creditgate/client";
import { ControlPlaneError } from "../errors/control-plane-error.ts";
import { createProgram, readProgram } from "./program.ts";

/** A page for each code, as Markdown: the documentation site has the same files. */
const folder = new URL("../../errors/", import.meta.url);

/** Prints the page of a code; throws `config_invalid` with the codes that are near to an unknown one. */
export async function runExplain(args: readonly string[]): Promise<void> {
  const program = createProgram("creditgate explain")
    .description("What a code of a denial, an error or a log line means, and what to do. Needs no network.")
    .argument("<CODE>", "such as insufficient_credits");
  if (!readProgram(program, args)) return;
  const [code = ""] = program.args;
  const codes = (await readdir(folder)).map((file) => file.replace(/\.md$/, "")).sort();
  if (!codes.includes(code)) {
    const near = nearCodes(code, codes).join(", ");
    const expected =
      near === "" ? "one of a denial, an error or a log line" : `one that exists, such as ${near}`;
    throw new ControlPlaneError("config_invalid", `explain: expected a code, ${expected}, received ${code}`);
  }
  const page = await readFile(new URL(`${code}.md`, folder), "utf8");
  process.stdout.write(plain(page));
}

const mostNear = 3;

/** The nearest by its letters, then those that share most of its words. */
function nearCodes(code: string, codes: readonly string[]): string[] {
  const words = code
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word.length > 2);
  const shared = (other: string) => words.filter((word) => other.split("_").includes(word)).length;
  const nearest = nearestName(code, codes) ?? [];
  const alike = codes.filter((other) => shared(other) > 0).sort((one, other) => shared(other) - shared(one));
  return [...new Set([nearest, alike].flat())].slice(0, mostNear);
}

/** Without the marks of Markdown that a terminal shows as they are. */
function plain(markdown: string): string {
  return markdown
    .replace(/^# /, "")
    .replace(/\*\*/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}
