/** How the reference looks, in light and dark: the dashboard's colours, operations beside what they do. */
export const referenceStyle = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --line: #e6e7ee; --ink: #171922; --quiet: #585c6d; --accent: #4250d8;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #14151b; --line: #2b2d38; --ink: #eceef5; --quiet: #a3a6b5; --accent: #a8b4ff; }
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); font: 0.9375rem / 1.55 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: var(--ink); background: var(--page); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem; border-inline-end: 1px solid var(--line); font-size: 0.8125rem; }
nav h2 { margin: 1.25rem 0 0.25rem; font-size: 0.8125rem; }
nav ul, main ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 0.125rem 0; color: var(--quiet); text-decoration: none; }
nav a:hover, a { color: var(--accent); }
main { max-width: 56rem; padding: 2rem 2.5rem 6rem; overflow-wrap: anywhere; }
h1 small, small, main p { color: var(--quiet); }
section { padding: 1rem 0; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
section:target { box-shadow: -1rem 0 var(--page), -1.125rem 0 var(--accent); }
h3 { margin: 0; }
h3 a { color: inherit; text-decoration: none; }
section p { margin: 0.25rem 0; }
code, pre { font: 0.8125rem / 1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: var(--ink); }
pre { padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; white-space: pre-wrap; }
summary { width: fit-content; padding: 0.125rem 0; color: var(--accent); cursor: pointer; }
details ul { padding-inline-start: 1rem; border-inline-start: 1px solid var(--line); }
details li { padding: 0.125rem 0; }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.5rem; }
}
`;
