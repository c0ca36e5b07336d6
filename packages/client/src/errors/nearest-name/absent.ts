/** In a bundle for Workers, where messages name all that is known instead. */
export function nearestName(_name: string, _known: readonly string[]): string | undefined {
  return undefined;
}
