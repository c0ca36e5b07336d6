import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const folder = "packages/control-plane/errors";

const sources = readdirSync(join(root, "packages")).flatMap((name) => {
  const files = readdirSync(join(root, "packages", name, "src"), { recursive: true }) as string[];
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => join("packages", name, "src", file));
});
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** The members of a union of texts, or of the keys of a mapped type. */
function union(path: string, name: RegExp): string[] {
  const [, members = ""] = new RegExp(`${name.source}((?:\\s*\\|?\\s*"[a-z_]+")+)`).exec(textOf(path)) ?? [];
  const codes = Array.from(members.matchAll(/"([a-z_]+)"/g), ([, code = ""]) => code);
  if (codes.length === 0) throw new Error(`${path}: expected ${name.source} with texts, found none`);
  return codes;
}

/** All that a `Problem` is made with: its code as a text, or one of the expressions below. */
function problems(): { codes: string[]; computed: string[] } {
  const found = sources.flatMap((path) =>
    Array.from(textOf(path).matchAll(/new Problem\(\s*\d+,\s*([^,]+),/g), ([, code = ""]) => code.trim()),
  );
  const isText = (code: string) => /^"[a-z_]+"$/.test(code);
  return {
    codes: found.filter(isText).map((code) => code.slice(1, -1)),
    computed: [...new Set(found.filter((code) => !isText(code)))].map((code) => code.replace("$", "")).sort(),
  };
}

const plane = "packages/control-plane/src";
const limits = Array.from(
  textOf(`${plane}/limits/limits.ts`).matchAll(/\["([a-z_]+)", "/g),
  ([, code = ""]) => code,
);
const created = sources.flatMap((path) =>
  Array.from(
    textOf(path).matchAll(/\bcode(?:: "| = "|: ")([a-z_]+)" as const|readonly code: "([a-z_]+)";/g),
    (match) => match[1] ?? match[2] ?? "",
  ),
);

/** By what has them, the codes that a user can meet. */
const codes: Readonly<Record<string, readonly string[]>> = {
  denials: union("packages/core/src/values/denial-code.ts", /DenialCode =/),
  "errors of the client": union("packages/client/src/errors/creditgate-error.ts", /CreditgateErrorCode =/),
  "errors of an outbox file": union("packages/sqlite/src/outbox-error.ts", /OutboxErrorCode =/),
  "errors of a Redis store": union("packages/redis/src/connection-trouble.ts", /RedisErrorCode =/),
  "troubles of a shared store": union("packages/fleet/src/lease/store-trouble.ts", /StoreTroubleCode =/),
  "log lines": [
    ...union("packages/core/src/events/operator-messages/operator-messages.ts", /\[What in/),
    ...union("packages/core/src/events/events.ts", /readonly degraded: \{\s*readonly what:/),
    ...["duplicate", "lag", "orphan"],
  ],
  "errors of commands": union(`${plane}/errors/control-plane-error.ts`, /ControlPlaneErrorCode =/),
  "problems of the API": [
    ...problems().codes,
    ...union(`${plane}/http/problem.ts`, /type Referent =/).map((what) => `${what}_unknown`),
    ...limits,
    ...union(`${plane}/routes/voice.ts`, /refusal\(reason:/),
    ...union(`${plane}/orders/credit-note.ts`, /readonly credited: false;\s*readonly reason:/),
    ...["session_exists", "too_many_feeds", "too_many_exports", "amount_above_invoice"],
    ...["credits_above_invoice", "credits_used"],
  ],
  "other errors": created,
};
const pages = readdirSync(join(root, folder)).map((file) => file.replace(/\.md$/, ""));

describe("the pages of codes", () => {
  it.each(Object.entries(codes))("has one for each of %s", (_, all) => {
    expect(all.length).toBeGreaterThan(1);
    expect(all.filter((code) => !pages.includes(code))).toEqual([]);
  });

  it("has none for a code that does not exist", () => {
    const all = new Set(Object.values(codes).flat());
    expect(pages.filter((page) => !all.has(page))).toEqual([]);
  });

  it("knows every expression that a code is computed by", () => {
    expect(problems().computed).toEqual(
      ["`too_many_{kind}`", "`{what}_unknown`", "code", "reason", "receipt.reason"].sort(),
    );
  });

  it.each(pages)("has what happened, why, and what to do: %s", (page) => {
    const text = textOf(`${folder}/${page}.md`);
    expect(text).toMatch(
      new RegExp(
        `^# ${page} \\(.+\\)\\n\\n.+\\n\\n\\*\\*Why\\.\\*\\* .+\\n\\n\\*\\*What to do\\.\\*\\* .+\\n\\n\\*\\*Related\\.\\*\\* .+\\n$`,
      ),
    );
    expect(text.split(/\s+/).length).toBeLessThan(160);
  });
});
