import { type LookupAddress, promises } from "node:dns";
import type { LookupFunction } from "node:net";
import type { AddressRule } from "./address.ts";

/** Finds the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Asked over the network, without the threads that name resolution by the system would hold while a server is silent. */
const resolver = new promises.Resolver({ timeout: 2_000, tries: 2 });

/** Names with a dot are asked of DNS alone; others, as `localhost`, are the system's. */
const resolveName: Resolve = async (hostname) => {
  if (!hostname.includes(".")) return promises.lookup(hostname, { all: true });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [
    ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (addresses.length === 0 && four.status === "rejected") throw four.reason;
  return addresses;
};

/**
 * Looks a name up for the connection that is being made, and hands over only addresses that may be connected to. It is
 * asked at the moment of connecting: what the name was before says nothing of what it is now.
 */
export function guardedLookup(mayConnect: AddressRule, resolve: Resolve = resolveName): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (found) => {
        const addresses = found.filter(({ address }) => mayConnect(address));
        const [first] = addresses;
        if (first === undefined) callback(refusedAddress(hostname, found), []);
        else if (all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

/** The error if no address may be connected to. */
export function refusedAddress(hostname: string, found: readonly Pick<LookupAddress, "address">[]): Error {
  const received = found.map(({ address }) => address).join(", ") || "none";
  return new Error(
    `${hostname}: expected a public address, received ${received}; --webhook-networks allows others`,
  );
}
