import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/** Where a request comes from: each proxy that is trusted has added to `X-Forwarded-For` who called it. */
export function clientAddress(
  { headers, socket }: Pick<IncomingMessage, "headers" | "socket">,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0) return socket.remoteAddress;
  const callers = String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
  return [socket.remoteAddress, ...callers.reverse()][Math.min(trustedProxies, callers.length)];
}

/** One who has an address of IPv6 has the 64 bits below it too. */
export function sourceOf(address = "unknown"): string {
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address;
  const [head = "", tail = ""] = address.split("::", 2);
  const groups = head.split(":").filter((group) => group !== "");
  const missing = address.includes("::") ? 8 - groups.length - tail.split(":").filter(Boolean).length : 0;
  return [...groups, ...Array.from({ length: missing }, () => "0"), ...tail.split(":")].slice(0, 4).join(":");
}
