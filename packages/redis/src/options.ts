import { checkNames, invalidOption } from "@creditgate/core/adapter";
import { type RedisClient, scriptRunner } from "./redis-client.ts";

/** Refuses what is no object of these options; of a client in their place it says where that goes. */
export function checkOptions(
  factory: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
): asserts options is object {
  if (typeof options !== "object" || options === null) invalidOption("options", "an object", options);
  if (scriptRunner(options as RedisClient) !== undefined) {
    invalidOption("options", `an object: ${factory}({ redis })`, "a client itself");
  }
  checkNames(options, names);
}
