/** A text of the address. There 12 is a number, and a name may be one. */
export function textOf<Name extends string>(name: Name, value: unknown): { [Of in Name]?: string } {
  const isText = (typeof value === "string" && value !== "") || typeof value === "number";
  const found: { [Of in Name]?: string } = {};
  if (isText) found[name] = String(value);
  return found;
}

/** A page of ours, and not another site's: one that signs in goes where it was. */
export function isOwnPath(next: unknown): next is string {
  return typeof next === "string" && /^\/(?![/\\])/.test(next);
}
