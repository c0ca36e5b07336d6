import { type LimitName, type LimitSetRequest, limitNames } from "@creditgate/client/admin";
import { acting, type Commands, listing, type Option } from "./command.ts";

/** `apiKeys` is `--api-keys`. */
function flagOf(name: LimitName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function optionOf(field: LimitName): Option {
  return { field, as: "number", value: "N", nullable: true, meaning: `limit ${field}; null takes it back` };
}

export const limits: Commands = {
  list: listing("what an organisation may have, and what it has", {}, async (organization) => {
    const { limits } = await organization.limits.list();
    return limits;
  }),
  set: acting(
    "sets limits for an organisation",
    { options: Object.fromEntries(limitNames.map((name) => [flagOf(name), optionOf(name)])) },
    (organization, { request }) => organization.limits.set(request<LimitSetRequest>()),
  ),
};
