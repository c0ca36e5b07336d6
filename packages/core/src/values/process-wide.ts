/**
 * What all instances of this module in a process share under this name. It lives on `globalThis` because a bundler may
 * evaluate a module many times (Next.js: once for each bundle). A name ends with the version of what it stands for.
 */
export function processWide<T>(name: string, create: () => T): T {
  const shared = globalThis as { [key: symbol]: T | undefined };
  const key = Symbol.for(`@creditgate/core/${name}`);
  const found = shared[key] ?? create();
  shared[key] = found;
  return found;
}
