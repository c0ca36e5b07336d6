/** SVG does not cut text that has no room. */
export function shortened(name: string, most = 17): string {
  const letters = [...name];
  return letters.length <= most ? name : `${letters.slice(0, most - 1).join("")}…`;
}
