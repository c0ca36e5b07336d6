/** For workerd, whose errors have no codes, in the place of their list: there nothing proves that a request was never written. */
export function wasNeverSent(_error: unknown): boolean {
  return false;
}

export function failureCode(_error: unknown): undefined {}
