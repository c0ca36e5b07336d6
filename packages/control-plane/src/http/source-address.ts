import { isIPv6 } from "node:net";

/** Who has one address of IPv6 has the 64 bits below it too. */
export function sourceOf(address = "unknown"): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [head = "", tail = ""] = address.split("::", 2);
  const groups = head.split(":").filter((group) => group !== "");
  const missing = address.includes("::") ? 8 - groups.length - tail.split(":").filter(Boolean).length : 0;
  return [...groups, ...Array.from({ length: missing }, () => "0"), ...tail.split(":")].slice(0, 4).join(":");
}
