import { readFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { defineConfig, type MarkdownRenderer } from "vitepress";
import { writeTexts } from "./llms.ts";
import { sidebar } from "./navigation.ts";
import { addressOf, pages, root, slugOf } from "./pages.ts";
import { search } from "./search.ts";

const { repository } = JSON.parse(readFileSync(join(root, "quality/packaging/identity.json"), "utf8"));

type Token = ReturnType<MarkdownRenderer["parse"]>[number];

/** Links between files of the repository become links between pages; to files without a page, of the repository, or text. */
function leadLinks(tokens: readonly Token[], from: string): void {
  let isText = false;
  for (const token of tokens) {
    leadImages(token);
    const href = token.attrGet("href");
    if (token.type === "link_open" && href !== null && !/^(?:[a-z]+:|#)/.test(href)) {
      const address = addressOf(href, from);
      const file = posix.join(posix.dirname(from), href);
      isText = address === undefined && repository === "";
      token.attrs = isText
        ? [
            ["class", "file"],
            ["title", file],
          ]
        : [["href", address ?? `${repository}/blob/main/${file}`]];
    }
    if (isText && token.type.startsWith("link_")) token.tag = "span";
    if (token.type === "link_close") isText = false;
  }
}

/** Pictures in HTML: bundled, if their address begins with a dot. */
function leadImages(token: { type: string; content: string }): void {
  if (token.type.startsWith("html_"))
    token.content = token.content.replace(/\b(src|srcset)="(?![./]|[a-z]+:)/g, '$1="./');
}

export default defineConfig({
  title: "Creditgate",
  description:
    "Middleware that stops AI requests your customers cannot pay for, and bills the ones they can.",
  lang: "en",
  srcDir: "..",
  srcExclude: ["**/api.md", ".changeset/**", "quality/**", "packages/create-creditgate/templates/**"],
  rewrites: Object.fromEntries([...pages].map(([file, page]) => [file, `${page}.md`])),
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    config(md) {
      md.core.ruler.push("links", ({ tokens, env }) => {
        const from = relative(root, env.realPath ?? env.path);
        for (const token of tokens) {
          leadImages(token);
          leadLinks(token.children ?? [], from);
        }
      });
    },
  },
  themeConfig: {
    sidebar,
    outline: "deep",
    search,
    nav: [
      { text: "Start", link: "/start" },
      { text: "Concepts", link: "/concepts/hold" },
      { text: "Guides", link: "/guides/" },
      { text: "Reference", link: "/reference/" },
      { text: "Errors", link: "/errors" },
      { text: "Glossary", link: "/glossary" },
    ],
  },
  transformPageData({ relativePath, frontmatter }) {
    // Each method has headings of its own.
    if (relativePath.startsWith("reference/")) frontmatter.outline = [2, 3];
  },
  vite: {
    // The playground runs the gate from source, in the parts that a bundle for browsers and the edge has.
    resolve: { conditions: ["@creditgate/source", "edge-light"] },
  },
  buildEnd: writeTexts,
});
