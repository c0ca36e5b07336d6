import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SiteConfig } from "vitepress";
import { sections } from "./navigation.ts";
import { addressOf, pages, root, skill, titleOf } from "./pages.ts";

/**
 * Writes each page as Markdown beside its HTML, all of them but the reference as `llms-full.txt`, and their list as `llms.txt`. Links lead to pages of
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
      if (!file.startsWith("docs/reference/")) all.push(`<!-- /${page} -->\n\n${markdown}`);
    }
    list.push("");
  }
  const head = `# ${site.title}\n\n> ${site.description}\n`;
  await writeFile(
    join(outDir, "llms.txt"),
    `${head}\nEach page is Markdown. /llms-full.txt has all of them but the reference.\n\n${list.join("\n")}`,
  );
  await writeFile(join(outDir, "llms-full.txt"), `${head}\n${all.join("\n")}`);
  await writeSkill(join(outDir, ".well-known/agent-skills"));
}

/** The skill where agents look for it, with its index: https://agentskills.io. */
async function writeSkill(folder: string): Promise<void> {
  const markdown = linked(await readFile(join(root, skill), "utf8"), skill);
  const [, name = "", description] = /^name: (.*)\ndescription: (.*)$/m.exec(markdown) ?? [];
  const digest = `sha256:${createHash("sha256").update(markdown).digest("hex")}`;
  const url = `/.well-known/agent-skills/${name}/SKILL.md`;
  const index = {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: [{ name, type: "skill-md", description, url, digest }],
  };
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "SKILL.md"), markdown);
  await writeFile(join(folder, "index.json"), JSON.stringify(index, null, 2));
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
