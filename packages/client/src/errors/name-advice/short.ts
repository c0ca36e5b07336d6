/** In a bundle for the edge the documentation has the names. */
export function adviceOn(
  _name: string,
  _known: readonly string[],
  _aliases?: ReadonlyMap<string, string>,
): string {
  return "";
}
