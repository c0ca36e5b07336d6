import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SiteConfig } from "vitepress";
import { sections } from "./navigation.ts";
import { addressOf, pages, root, titleOf } from "./pages.ts";

/**
 * Writes each page as Markdown beside its HTML, all of them as `llms-full.txt`, and their list as `llms.txt`. Links lead to pages of
 * the site; a link to a file that it does not have becomes its text.
 */
export async function writeTexts({ outDir, pages: built, site }: SiteConfig): Promise<void> {
  const strange = built.filter((file) => !pages.has(file));
  if (strange.length > 0) throw new Error(`expected pages of pages.ts only, received ${strange.join(", ")}`);
  const list: string[] = [];
  const all: string[] = [];
  for (const { text, files } of sections) {
    list.push(`## ${text}\n`);
    for (const file of files) {
      const page = `${pages.get(file)}.md`;
      const markdown = linked(await readFile(join(root, file), "utf8"), file);
      await mkdir(dirname(join(outDir, page)), { recursive: true });
      await writeFile(join(outDir, page), markdown);
      list.push(`- [${titleOf(file)}](/${page})`);
      all.push(`<!-- /${page} -->\n\n${markdown}`);
    }
    list.push("");
  }
  const head = `# ${site.title}\n\n> ${site.description}\n`;
  await writeFile(
    join(outDir, "llms.txt"),
    `${head}\nEach page is Markdown. /llms-full.txt has all of them.\n\n${list.join("\n")}`,
  );
  await writeFile(join(outDir, "llms-full.txt"), `${head}\n${all.join("\n")}`);
}

function linked(markdown: string, file: string): string {
  return markdown.replace(
    /(```[\s\S]*?```)|\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)/g,
    (whole, code, text, link) => {
      if (code !== undefined) return whole;
      const address = addressOf(link, file);
      return address === undefined
        ? text
        : `[${text}](${address.replace(/\/(?=$|#)/, "/index.html").replace(".html", ".md")})`;
    },
  );
}
