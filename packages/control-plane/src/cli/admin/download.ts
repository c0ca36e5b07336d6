import { once } from "node:events";
import process from "node:process";
import type { Endpoint } from "@creditgate/client";
import { ControlPlaneError } from "../../errors/control-plane-error.ts";
import type { Access } from "./access.ts";

/** Which file: of which organisation, what of it, and of what. */
export interface Wanted {
  readonly organizationId: string;
  readonly request: Readonly<Record<string, unknown>>;
  /** For the last parameter of the path. */
  readonly id?: string | undefined;
}

/**
 * Writes a file of the service to stdout while it comes in, as the service has written it: in JSON large amounts would
 * lose digits. Throws where it does not come in whole.
 */
export async function writeFile(
  { baseUrl = "", adminToken = "" }: Access,
  { path }: Pick<Endpoint, "path">,
  { organizationId, request, id = "" }: Wanted,
): Promise<void> {
  const filter = Object.entries(request).map(([field, value]): [string, string] => [field, String(value)]);
  if (!path.includes("{organization_id}")) filter.push(["organization_id", organizationId]);
  const below = path.replace("{organization_id}", organizationId).replace(/\{\w+\}/, encodeURIComponent(id));
  const query = filter.length === 0 ? "" : `?${new URLSearchParams(filter)}`;
  const response = await fetch(`${baseUrl.replace(/\/+$/, "")}${below}${query}`, {
    headers: { authorization: `Bearer ${adminToken}` },
    redirect: "error",
  });
  if (response.status !== 200 || response.body === null) throw failed(response.status, await response.text());
  for await (const chunk of response.body) {
    if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
  }
}

function failed(status: number, body: string): ControlPlaneError {
  let detail = body.slice(0, 200);
  try {
    const problem: unknown = JSON.parse(body);
    if (typeof problem === "object" && problem !== null && "detail" in problem)
      detail = String(problem.detail);
  } catch {
    // It is told as it is.
  }
  return new ControlPlaneError("request_failed", `${detail} (the service answered ${status})`);
}
