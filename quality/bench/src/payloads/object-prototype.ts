/** What every object inherits, to be compared with what it was before. */
export function objectPrototype(): ReadonlyMap<PropertyKey, PropertyDescriptor | undefined> {
  const keys = Reflect.ownKeys(Object.prototype);
  return new Map(keys.map((key) => [key, Object.getOwnPropertyDescriptor(Object.prototype, key)]));
}
