import { BlockList, isIP } from "node:net";

/** Whether a connection to an address may be made. */
export type AddressRule = (address: string) => boolean;

type Subnet = readonly [network: string, prefix: number];

/** What the registries of special addresses keep from the public internet; the last is a cloud's metadata service. */
const specialIpv4: readonly Subnet[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["168.63.129.16", 32],
];

/** All that is public begins here: what wraps an IPv4 address, as `::ffff:0:0/96` and `64:ff9b::/96`, does not. */
const publicIpv6: Subnet = ["2000::", 3];

const specialIpv6: readonly Subnet[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const special = new BlockList();
for (const [network, prefix] of specialIpv4) special.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of specialIpv6) special.addSubnet(network, prefix, "ipv6");
const global = new BlockList();
global.addSubnet(...publicIpv6, "ipv6");

/** Lets public addresses pass, and those of the networks that an operator names. */
export function createAddressRule(networks: readonly string[]): AddressRule {
  const allowed = new BlockList();
  for (const network of networks) {
    const subnet = parseNetwork(network);
    if (subnet === undefined)
      throw new TypeError(`expected a network such as 10.0.0.0/8, received ${network}`);
    allowed.addSubnet(...subnet);
  }
  return (address) => {
    const type = familyOf(address);
    if (type === undefined) return false;
    if (allowed.check(address, type)) return true;
    return !special.check(address, type) && (type === "ipv4" || global.check(address, type));
  };
}

/** A network in CIDR notation, or a single address; `undefined` where the text is neither. */
export function parseNetwork(text: string): [string, number, "ipv4" | "ipv6"] | undefined {
  const [, address = "", digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = familyOf(address);
  if (family === undefined) return undefined;
  const bits = family === "ipv4" ? 32 : 128;
  const prefix = digits === undefined ? bits : Number(digits);
  return prefix <= bits ? [address, prefix, family] : undefined;
}

function familyOf(address: string): "ipv4" | "ipv6" | undefined {
  const family = isIP(address);
  if (family === 0) return undefined;
  return family === 4 ? "ipv4" : "ipv6";
}
