import { cookies } from "next/headers.js";

export const customers = [
  { id: "alice", name: "Alice" },
  { id: "bob", name: "Bob" },
  { id: "carol", name: "Carol" },
] as const;
export type CustomerId = (typeof customers)[number]["id"];

const cookie = "customer";

/** Stands in for your authentication: a real app takes the customer from a session that it has verified. */
export async function signedIn(): Promise<CustomerId> {
  const wanted = (await cookies()).get(cookie)?.value;
  return customers.find(({ id }) => id === wanted)?.id ?? "alice";
}

export async function remember(customer: string): Promise<void> {
  (await cookies()).set(cookie, customer, { httpOnly: true, sameSite: "lax" });
}
