/** More of a name is not looked at, nor shown. */
export const longestShown = 64;

/** Without what people write differently: case, `_` and `-`. */
export function plainName(name: string): string {
  return name
    .slice(0, longestShown)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
