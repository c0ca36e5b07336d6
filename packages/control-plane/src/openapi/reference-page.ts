import { createHash } from "node:crypto";
import { z } from "zod";
import { groupRows } from "../database/group-rows.ts";
import { type Html, html } from "../http/page-answer.ts";

/** The part of a JSON schema that the page shows. */
const schema = z.object({
  $ref: z.string().optional(),
  description: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  get items() {
    return schema.optional();
  },
  get additionalProperties() {
    return z.union([z.boolean(), schema]).optional();
  },
  get anyOf() {
    return z.array(schema).optional();
  },
  get oneOf() {
    return z.array(schema).optional();
  },
});

type Schema = z.infer<typeof schema>;

type Schemas = Readonly<Record<string, Schema>>;

const content = z.record(
  z.string(),
  z.object({ schema: schema.optional(), example: z.unknown().optional() }),
);

const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  parameters: z
    .array(z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema }))
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.optional() })),
});

/** What the page shows of an OpenAPI document. */
const described = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

interface Listed extends z.infer<typeof operation> {
  readonly method: string;
  readonly path: string;
}

/** How the reference looks, in light and dark: the dashboard's colours, operations beside what they do. */
const referenceStyle = `
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

/** Allows this page its style sheet and nothing else: it has no script. */
export const referencePolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(referenceStyle).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Renders an OpenAPI document as one page of HTML, operation by operation. */
export function referencePage(
  document: unknown,
  { source, other }: { readonly source: string; readonly other: Html },
): string {
  const { info, paths, components } = described.parse(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): Listed => ({ ...one, path, method: method.toUpperCase() })),
  );
  const byTag = groupRows(operations, ({ tags }) => tags[0] ?? "Other");
  const styles: Html = { html: referenceStyle };
  const { html: written } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title}</title>
<style>${styles}</style>
</head>
<body>
<nav aria-label="Operations">${[...byTag].map(([tag, list]) => tagLinks(tag, list))}</nav>
<main>
<h1>${info.title} <small>${info.version}</small></h1>
<p>${prose(info.description)}</p>
<p>The same as <a href="${source}">OpenAPI 3.1</a>. ${other}</p>
${[...byTag].map(([tag, list]) => html`<h2>${tag}</h2>\n${list.map((one) => section(one, components.schemas))}`)}</main>
</body>
</html>
`;
  return written;
}

function tagLinks(tag: string, operations: readonly Listed[]): Html {
  const links = operations.map(
    ({ operationId, summary }) => html`<li><a href="#${operationId}">${prose(summary)}</a></li>`,
  );
  return html`<h2>${tag}</h2><ul>${links}</ul>\n`;
}

function section(one: Listed, schemas: Schemas): Html {
  const [body] = Object.values(one.requestBody?.content ?? {});
  const statuses = Object.entries(one.responses);
  const [, success] = statuses.find(([status]) => status.startsWith("2")) ?? [];
  const [type, answer] = Object.entries(success?.content ?? {})[0] ?? [];
  const parameters = one.parameters.map(({ name, in: place, required, schema: of }) =>
    field(`${name} (${place})`, of, { isRequired: required, schemas, within: [] }),
  );
  return html`<section id="${one.operationId}">
<h3><a href="#${one.operationId}">${prose(one.summary)}</a></h3>
<p><code><b>${one.method}</b> ${one.path}</code></p>
<p>${prose(one.description)}</p>
${parameters.length === 0 ? undefined : html`<details><summary>Parameters</summary><ul>${parameters}</ul></details>`}
${body?.schema && html`<details><summary>Request body</summary>${example(body.example)}${fields(body.schema, schemas, [])}</details>`}
${answer?.schema && html`<details><summary>Response, ${type}</summary>${fields(answer.schema, schemas, [])}</details>`}
<details><summary>Status codes</summary><ul>${statuses.map(([status, { description }]) => html`<li><code>${status}</code> ${prose(description)}</li>`)}</ul></details>
</section>
`;
}

/** Text whose parts between backticks are code. */
function prose(text: string): Html {
  const parts = text
    .split("`")
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`));
  return html`${parts}`;
}

function example(value: unknown): Html | undefined {
  return value === undefined ? undefined : html`<pre>${JSON.stringify(value, null, 2)}</pre>`;
}

/** The fields of an object, or of the objects in a list; a choice of several shows the fields of each. */
function fields(of: Schema, schemas: Schemas, within: readonly string[]): Html | undefined {
  const { $ref: reference } = of;
  if (reference !== undefined) {
    const name = reference.slice(reference.lastIndexOf("/") + 1);
    const target = schemas[name];
    // A schema that holds itself is named in its type and not unfolded again.
    if (target === undefined || within.includes(name)) return undefined;
    return fields(target, schemas, [...within, name]);
  }
  const { properties, required = [], items, anyOf, oneOf, additionalProperties } = of;
  if (properties !== undefined && Object.keys(properties).length > 0) {
    const list = Object.entries(properties).map(([name, property]) =>
      field(name, property, { isRequired: required.includes(name), schemas, within }),
    );
    return html`<ul>${list}</ul>`;
  }
  const parts = [items, ...(anyOf ?? oneOf ?? []), additionalProperties];
  return html`${parts.flatMap((part) => (typeof part === "object" ? (fields(part, schemas, within) ?? []) : []))}`;
}

function field(
  name: string,
  of: Schema,
  {
    isRequired,
    schemas,
    within,
  }: { readonly isRequired: boolean; readonly schemas: Schemas; readonly within: readonly string[] },
): Html {
  const preset =
    of.default === undefined ? undefined : html`, default <code>${JSON.stringify(of.default)}</code>`;
  return html`<li><code>${name}</code> <small>${typeOf(of)}${isRequired ? ", required" : ""}${preset}</small> ${prose(of.description ?? "")}${fields(of, schemas, within)}</li>\n`;
}

function typeOf({ $ref, type, format, const: only, enum: values, items, anyOf, oneOf }: Schema): string {
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1);
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(" | ");
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(" | ");
  if (items !== undefined) return `list of ${typeOf(items)}`;
  return [[type ?? "any"].flat().join(" | "), format].filter((part) => part !== undefined).join(", ");
}
