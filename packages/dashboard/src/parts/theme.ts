/** The theme that was chosen on this machine; without one it is the system's. Runs before the page is drawn. */
const key = "creditgate-theme";

function chosen(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage may be forbidden: then the choice lasts as long as the page.
    return null;
  }
}

const before = chosen();
if (before === "light" || before === "dark") document.documentElement.dataset.theme = before;

export function toggleTheme(): void {
  const { dataset } = document.documentElement;
  const isDark =
    dataset.theme === undefined
      ? matchMedia("(prefers-color-scheme: dark)").matches
      : dataset.theme === "dark";
  dataset.theme = isDark ? "light" : "dark";
  try {
    localStorage.setItem(key, dataset.theme);
  } catch {
    // As above.
  }
}
