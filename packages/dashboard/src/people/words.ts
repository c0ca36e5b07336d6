import { type MemberRole, memberRoles } from "@creditgate/admin";
import { keyOf } from "../parts/address.ts";

/** What a role lets do, as the control plane has it. */
const roleWords: Readonly<Record<MemberRole, { readonly name: string; readonly hint: string }>> = {
  read: { name: "Reader", hint: "View everything except members" },
  money: {
    name: "Money",
    hint: "Also edit customers, wallets, orders, invoices, agents and prices",
  },
  keys: { name: "Keys", hint: "Also manage API keys and webhooks" },
  owner: { name: "Owner", hint: "Also manage members and settings, and erase customers" },
};

export const roleOptions = memberRoles.map((role) => ({
  value: role,
  label: roleWords[role].name,
  hint: roleWords[role].hint,
}));

/** The roles that are known here. */
export function rolesOf(names: readonly string[]): readonly MemberRole[] {
  return names.flatMap((name) => keyOf(roleWords, name) ?? []);
}

export function roleNames(names: readonly string[]): string {
  return names
    .map((name) => {
      const role = keyOf(roleWords, name);
      return role === undefined ? name : roleWords[role].name;
    })
    .join(", ");
}
