import { pages, skill, titleOf } from "./pages.ts";

/** A group of the sidebar, for a reader with one purpose. */
interface Group {
  readonly text: string;
  /** Files of the repository, in order; one that ends with `/` stands for the rest of its folder. */
  readonly files: readonly string[];
}

const groups: readonly Group[] = [
  {
    text: "Start",
    files: [
      "README.md",
      "docs/start.md",
      ...["express", "nextjs", "hono", "fastify", "ai-sdk", "own-table"].map(
        (page) => `docs/start/${page}.md`,
      ),
      "docs/playground.md",
      "packages/create-creditgate/README.md",
      "docs/gate/demo.md",
      skill,
      "docs/README.md",
    ],
  },
  {
    text: "Concepts",
    files: [
      "docs/concepts/hold.md",
      "docs/concepts/settlement.md",
      "docs/concepts/outages.md",
      "docs/concepts/many-processes.md",
      "docs/concepts/streams.md",
      "docs/concepts/budgets.md",
    ],
  },
  {
    text: "Guides",
    files: [
      "docs/guides/README.md",
      "docs/gate/serverless.md",
      "docs/guides/sign-in.md",
      "docs/guides/kubernetes.md",
      "docs/guides/migrate.md",
      ...["own-table", "stripe-webhook", "cloudflare-worker", "llm-gateway", "voice-call"].map(
        (name) => `examples/${name}/README.md`,
      ),
      "examples/",
    ],
  },
  { text: "The gate", files: ["docs/gate/README.md", "docs/gate/"] },
  { text: "Share wallets", files: ["docs/fleet/README.md", "docs/fleet/"] },
  { text: "Meter models", files: ["docs/models/README.md", "docs/models/"] },
  {
    text: "Run a control plane",
    files: [
      "docs/control-plane/README.md",
      "docs/control-plane/start-from-nothing.md",
      "packages/control-plane/OPERATIONS.md",
      "docs/control-plane/",
    ],
  },
  {
    text: "Reference",
    files: [
      ...(pages.has("docs/reference/README.md") ? ["docs/reference/README.md"] : []),
      "docs/gate/options.md",
      "docs/gate/events.md",
      "docs/gate/denials.md",
      "docs/control-plane/command-line.md",
      "docs/control-plane/options.md",
      "docs/control-plane/admin-api.md",
      "docs/control-plane/api-answers.md",
      "docs/versions.md",
      "packages/",
    ],
  },
  { text: "HTTP API", files: ["docs/reference/api/"] },
  { text: "Admin API", files: ["docs/reference/admin-api/"] },
  { text: "TypeScript", files: ["docs/reference/typescript/"] },
  { text: "Errors", files: ["docs/errors.md", "packages/control-plane/errors/"] },
  {
    text: "How it works",
    files: [
      "ARCHITECTURE.md",
      "docs/gate/promise.md",
      "docs/design/",
      "docs/contest.md",
      "docs/decisions.md",
      "decisions/",
    ],
  },
  { text: "Glossary", files: ["docs/glossary.md"] },
  { text: "Project", files: ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"] },
];

const named = groups.flatMap(({ files }) => files);
const folders = named.filter((file) => file.endsWith("/"));

/** What stands for the rest of a folder, without what another group names, or has a folder in it of. */
function restOf(folder: string): string[] {
  const inner = folders.filter((other) => other !== folder && other.startsWith(folder));
  const rest = [...pages.keys()].filter((page) => page.startsWith(folder) && !named.includes(page));
  return rest.filter((page) => !inner.some((other) => page.startsWith(other))).sort();
}

/** The groups with their pages, each once. */
export const sections: readonly { readonly text: string; readonly files: readonly string[] }[] = groups.map(
  ({ text, files }) => ({ text, files: files.flatMap((file) => (file.endsWith("/") ? restOf(file) : file)) }),
);

const placed = sections.flatMap(({ files }) => files);
const lost = [...pages.keys()].filter((page) => !placed.includes(page));
if (lost.length > 0)
  throw new Error(`expected each page in a group of navigation.ts, found none for ${lost.join(", ")}`);

/** Of these folders only the page that lists them is in the sidebar of the others. */
const apart = ["errors", "decisions", "reference"].map((folder) => `/${folder}/`);

function itemsOf(
  isShown: (link: string) => boolean,
): { text: string; items: { text: string; link: string }[] }[] {
  const groups = sections.map(({ text, files }) => ({
    text,
    items: files
      // The group says which API it is.
      .map((file) => ({ text: titleOf(file).replace(/^.*API: /, ""), link: `/${pages.get(file)}` }))
      .filter(({ link }) => isShown(link)),
  }));
  return groups.filter(({ items }) => items.length > 0);
}

/** Its groups cannot be collapsed: VitePress would put a button into a button. */
export const sidebar: Record<string, ReturnType<typeof itemsOf>> = {
  "/": itemsOf((link) => !apart.some((folder) => link.startsWith(folder) && link !== `${folder}index`)),
  ...Object.fromEntries(
    apart.map((folder) => [folder, itemsOf((link) => link.startsWith(folder) || `${link}/` === folder)]),
  ),
};
