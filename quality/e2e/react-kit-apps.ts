import { execFile } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { RunningServer } from "@creditgate/conformance";
import { startProcess } from "./adapters-process.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
/** Below the workspace, so that its modules are found; not in git. */
const folder = join(import.meta.dirname, "dist/react-kit");
const environment = { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };

/** Alice can pay 3 credits; whatever she asks for needs 5. */
export const credits = { balance: 3, held: 0 };
export const denial = {
  type: "urn:creditgate:denial:insufficient_credits",
  ...{ code: "insufficient_credits", status: 402, title: "Not enough credits", currency: "ai_credits" },
  ...{ required: 5, available: 3, shortfall: 2, retryable: false, recommendedAction: "upgrade" },
};

async function write(app: string, files: Readonly<Record<string, string>>): Promise<string> {
  await rm(join(folder, app), { recursive: true, force: true });
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, app, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return join(folder, app);
}

/** The examples of the package's README, in their order. */
async function readmeBlocks(): Promise<readonly string[]> {
  const readme = await readFile(join(root, "packages/react/README.md"), "utf8");
  return Array.from(readme.matchAll(/^```tsx?\n([\s\S]*?)^```$/gm), ([, code = ""]) => code);
}

/** What `create-next-app` makes, with Cache Components and the files of the README; served by `next start`. */
export async function startNextApp(): Promise<RunningServer> {
  const [route = "", page = "", chat = ""] = await readmeBlocks();
  const given = 'import { session } from "@/session";\n';
  const app = await write("next", {
    "package.json": '{ "private": true }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        ...{ target: "ES2017", lib: ["dom", "dom.iterable", "esnext"], module: "esnext", strict: true },
        ...{ moduleResolution: "bundler", jsx: "react-jsx", noEmit: true, paths: { "@/*": ["./*"] } },
      },
    }),
    // TypeScript 7 is none that Next.js checks with.
    "next.config.mjs": "export default { cacheComponents: true, typescript: { ignoreBuildErrors: true } };\n",
    "session.ts": `import { cookies } from "next/headers";
export async function session() {
  const userId = (await cookies()).get("user")?.value;
  return userId === undefined ? undefined : { userId };
}
`,
    "gate.ts": `import { createTestGate } from "@creditgate/core/testing";
export const { gate } = createTestGate({ alice: ${credits.balance} });
`,
    "app/layout.tsx": `export const viewport = { colorScheme: "light dark" };
export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
    "app/page.tsx": given + page,
    "app/credits.tsx": chat,
    "app/api/credits/route.ts": given + route,
    "app/api/chat/route.ts": `export function POST() {
  return Response.json(${JSON.stringify(denial)}, { status: 402, headers: { "content-type": "application/problem+json" } });
}
`,
  });
  const next = join(root, "node_modules/next/dist/bin/next");
  await run(process.execPath, [next, "build"], { cwd: app, env: { ...process.env, ...environment } }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`next build failed:\n${stdout}\n${stderr}`);
    },
  );
  return startProcess({
    program: process.execPath,
    options: [next, "start", "--hostname", "127.0.0.1", "--port", "0"],
    environment,
    folder: app,
  });
}

/** What `create-vite` makes of React, with the files of the README, beside a server that answers as a gated one. */
export async function startViteApp(): Promise<RunningServer> {
  const [, , chat = "", main = ""] = await readmeBlocks();
  const app = await write("vite", {
    "package.json": '{ "private": true, "type": "module" }',
    "index.html": `<!doctype html>
<html lang="en">
  <head><meta charset="UTF-8" /><meta name="color-scheme" content="light dark" /></head>
  <body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body>
</html>
`,
    "vite.config.js": `import { defineConfig } from "vite";
import react from "@vitejs/plugin-react";
export default defineConfig({ plugins: [react()] });
`,
    "src/main.tsx": `import "@creditgate/react/style.css";
const element = document.getElementById("root") as HTMLElement;
${main}`,
    "src/credits.tsx": chat,
  });
  await run(process.execPath, [join(root, "node_modules/vite/bin/vite.js"), "build"], { cwd: app });
  const types: Record<string, string> = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
  };
  const server = createServer((request, response) => {
    const file = join(app, "dist", request.url === "/" ? "index.html" : (request.url ?? ""));
    const answer = (status: number, body: object) =>
      response
        .writeHead(status, {
          "content-type": status === 402 ? "application/problem+json" : "application/json",
        })
        .end(JSON.stringify(body));
    if (request.url === "/api/credits") answer(200, credits);
    else if (request.url === "/api/chat") answer(402, denial);
    else if (!existsSync(file)) answer(404, {});
    else createReadStream(file).pipe(response.setHeader("content-type", types[extname(file)] ?? ""));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

export async function removeApps(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
