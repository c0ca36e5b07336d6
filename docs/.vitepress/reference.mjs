// Writes docs/reference: both HTTP APIs by their OpenAPI documents, and what each package exports, by TypeDoc. Needs `npm run build`.
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix, resolve } from "node:path";
import { Application } from "typedoc";
import { createAdminDocument } from "../../packages/control-plane/dist/openapi/admin-document.js";
import { createDocument } from "../../packages/control-plane/dist/openapi/document.js";

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, "docs/reference");
const apis = [
  { at: "api", title: "API", document: createDocument("") },
  { at: "admin-api", title: "Admin API", document: createAdminDocument("") },
];

await rm(folder, { recursive: true, force: true });
const lists = [];
for (const { at, title, document } of apis)
  lists.push(`## ${title}\n\n${await writeApi(at, title, document)}`);
lists.push(`## TypeScript\n\n${await writeTypes()}`);
const opening =
  "Every path of both HTTP APIs, and every name that a package exports. A running service has the same at `/docs` and `/admin/docs`.";
await write("README.md", `# Reference\n\n${opening}\n\n${lists.join("\n")}`);

async function write(file, text) {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

/** A page for each tag; resolves to the table of them. */
async function writeApi(at, title, { paths, components, info }) {
  const tags = new Map();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const [tag] = operation.tags;
      tags.set(tag, [...(tags.get(tag) ?? []), { ...operation, call: `${method.toUpperCase()} ${path}` }]);
    }
  }
  const rows = [];
  for (const [tag, operations] of tags) {
    const file = `${at}/${tag.toLowerCase().replace(/\W+/g, "-")}.md`;
    const sections = operations.map((operation) => sectionOf(operation, components.schemas));
    await write(file, `# ${title}: ${tag}\n\n${sections.join("\n")}`);
    rows.push(`| [${tag}](${file}) | ${operations.map(({ summary }) => textOf(summary)).join("; ")} |`);
  }
  return `${textOf(info.description)}\n\n| page | operations |\n|---|---|\n${rows.join("\n")}\n`;
}

function sectionOf({ call, summary, description, parameters = [], requestBody, responses }, schemas) {
  const [body] = Object.values(requestBody?.content ?? {});
  const [success] = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const [answer] = Object.values(success?.[1].content ?? {});
  const statuses = Object.entries(responses).map(
    ([status, { description: text }]) => `| ${status} | ${textOf(text)} |`,
  );
  return [
    `## ${textOf(summary)}\n`,
    `\`${call}\`\n`,
    `${textOf(description)}\n`,
    table(
      "Parameters",
      parameters.map((one) => [`${one.name}\` (${one.in})`, one.schema, one]),
    ),
    table("Request body", body === undefined ? [] : fieldsOf(body.schema, schemas)),
    body?.example === undefined ? "" : `\`\`\`json\n${JSON.stringify(body.example, null, 2)}\n\`\`\`\n`,
    table("Response", answer?.schema === undefined ? [] : fieldsOf(answer.schema, schemas)),
    `| status | meaning |\n|---|---|\n${statuses.join("\n")}\n`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function table(title, fields) {
  if (fields.length === 0) return "";
  const rows = fields.map(([name, schema, { required, description = schema.description }]) => {
    const preset = schema.default === undefined ? "" : `, default \`${JSON.stringify(schema.default)}\``;
    const label = name.includes("`") ? `\`${name}` : `\`${name}\``;
    return `| ${label} | ${cellOf(typeOf(schema))}${required ? ", required" : ""}${preset} | ${textOf(description ?? "")} |`;
  });
  return `**${title}**\n\n| field | type | meaning |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/** The fields of an object and of those in it, by their paths: `orders[].orderId`. A schema that contains itself ends there. */
function fieldsOf(schema, schemas, path = "", within = []) {
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.split("/").at(-1)];
    if (target === undefined || within.includes(target)) return [];
    return fieldsOf(target, schemas, path, [...within, target]);
  }
  const { properties = {}, required = [], items, anyOf, oneOf, additionalProperties } = schema;
  const own = Object.entries(properties).flatMap(([name, of]) => {
    const inner = path === "" ? name : `${path}.${name}`;
    return [[inner, of, { required: required.includes(name) }], ...fieldsOf(of, schemas, inner, within)];
  });
  const inList = items === undefined ? [] : fieldsOf(items, schemas, `${path}[]`, within);
  const byKey =
    typeof additionalProperties === "object"
      ? fieldsOf(additionalProperties, schemas, `${path}.*`, within)
      : [];
  const choices = (anyOf ?? oneOf ?? []).flatMap((of) => fieldsOf(of, schemas, path, within));
  const named = new Map([...own, ...inList, ...byKey, ...choices].map((field) => [field[0], field]));
  return [...named.values()];
}

function typeOf({
  $ref,
  type,
  format,
  const: only,
  enum: values,
  items,
  anyOf,
  oneOf,
  additionalProperties,
}) {
  if ($ref !== undefined) return $ref.split("/").at(-1);
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" | ");
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (typeof additionalProperties === "object") return `${typeOf(additionalProperties)} by key`;
  return [[type ?? "any"].flat().join(" | "), format].filter(Boolean).join(", ");
}

/** Text outside of code, as Markdown and Vue take it. */
function textOf(text) {
  const parts = text.split(/(`[^`]*`)/);
  return parts
    .map((part) =>
      part.startsWith("`")
        ? cellOf(part)
        : cellOf(part.replace(/[<>{}*_]/g, (mark) => `&#${mark.charCodeAt(0)};`)),
    )
    .join("");
}

function cellOf(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** A page for each entry of a package; resolves to the table of them. */
async function writeTypes() {
  const packages = readdirSync(join(root, "packages")).flatMap((name) => {
    const { exports = {}, description } = JSON.parse(
      readFileSync(join(root, "packages", name, "package.json"), "utf8"),
    );
    const entries = Object.entries(exports).flatMap(([path, { types }]) =>
      types === undefined ? [] : [{ path, types }],
    );
    return entries.map(({ path, types }) => ({
      name: posix.join(name, path),
      file: join(root, "packages", name, types),
      description: path === "." ? description : "",
    }));
  });
  const settings = {
    plugin: ["typedoc-plugin-markdown"],
    entryPoints: packages.map(({ file }) => file),
    compilerOptions: {
      module: "nodenext",
      strict: true,
      skipLibCheck: true,
      types: ["node"],
      jsx: "react-jsx",
    },
    out: join(folder, "typescript"),
    router: "module",
    skipErrorChecking: true,
    readme: "none",
    disableSources: true,
    disableGit: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeInternal: true,
    logLevel: "Error",
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useHTMLEncodedBrackets: true,
    useCustomAnchors: true,
    sanitizeComments: true,
    pageTitleTemplates: { module: ({ name }) => `@creditgate/${name}` },
    ...Object.fromEntries(
      ["parameters", "interfaceProperties", "classProperties", "typeDeclaration", "enumMembers"].map(
        (part) => [`${part}Format`, "table"],
      ),
    ),
  };
  // Without readers: our compiler's options are not those of this compiler.
  const app = await Application.bootstrapWithPlugins(settings, []);
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc read no types");
  for (const module of project.children ?? [])
    module.name = module.name.replace(/\/dist\b/, "").replace(/\/index$/, "");
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error("TypeDoc wrote no pages");
  await rm(join(folder, "typescript/README.md"));
  const rows = packages.map(
    ({ name, description }) => `| [@creditgate/${name}](typescript/${name}.md) | ${description} |`,
  );
  return `| package | purpose |\n|---|---|\n${rows.join("\n")}\n`;
}
