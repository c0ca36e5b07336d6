/** Whether keys without a modifier do something: who speaks to the machine, or presses keys by accident, turns them off. */
const key = "creditgate-single-keys";

export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(key) !== "off";
  } catch {
    return true;
  }
}

export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(key);
    else localStorage.setItem(key, "off");
  } catch {
    // Storage may be forbidden: then they stay on.
  }
}
