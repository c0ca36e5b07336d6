import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { ControlPlaneError, errorCode } from "../errors/control-plane-error.ts";
import type { AdminToken } from "./authentication.ts";

/** Reads `CREDITGATE_ADMIN_TOKEN`: tokens with commas between them, each with the name of its owner or without. */
export function readAdminTokens(text: string | undefined): readonly AdminToken[] {
  if (text === undefined || text === "") return [];
  return text.split(",").map((part) => {
    const [, name = "admin", token] = /^(?:([\w.@-]{1,64}):)?([\w.~+/=-]{20,256})$/.exec(part.trim()) ?? [];
    if (token !== undefined) return { name, token };
    throw new ControlPlaneError(
      "config_invalid",
      // What was received may be a secret.
      "CREDITGATE_ADMIN_TOKEN: expected tokens of 20 to 256 letters, digits and -._~+/=, as in alice:TOKEN,bob:TOKEN, received something else",
    );
  });
}

/** The token of an embedded control plane: in a file that only its owner can read, made at the first start. */
export async function embeddedAdminToken(data: string): Promise<AdminToken> {
  const file = adminTokenFile(data);
  try {
    await writeFile(file, `cga_${randomBytes(24).toString("base64url")}\n`, { flag: "wx", mode: 0o600 });
  } catch (cause) {
    if (errorCode(cause) !== "EEXIST") throw unusable(file, `cannot be written (${errorCode(cause)})`, cause);
  }
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw unusable(file, `cannot be read (${errorCode(cause)})`, cause);
  });
  const token = text.trim();
  if (token.length >= 20) return { name: "admin", token };
  throw unusable(file, "expected a token of at least 20 characters, received a shorter one. Remove it");
}

export function adminTokenFile(data: string): string {
  return path.join(data, "admin-token");
}

function unusable(file: string, why: string, cause?: unknown): ControlPlaneError {
  return new ControlPlaneError("data_directory_unusable", `--data: ${file}: ${why}.`, { cause });
}
