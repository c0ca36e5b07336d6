import { isCreditgateError } from "@creditgate/client";

/**
 * Whether the service itself has said that it does not know the customer, agent or indicator. It says so in a JSON object;
 * a 404 in anything else comes from what stands before it, such as a proxy in the midst of a deploy, and says nothing.
 */
export function isNotFound(error: unknown): boolean {
  return (
    isCreditgateError(error) &&
    error.status === 404 &&
    error.problem !== undefined &&
    // A control plane that is asked at a path which is not its own: the base URL is wrong.
    error.problem.code !== "route_unknown"
  );
}
