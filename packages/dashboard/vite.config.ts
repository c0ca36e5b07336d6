import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  base: "/dashboard/",
  plugins: [react()],
  // From source, so that nothing has to be built before.
  resolve: {
    conditions: ["@creditgate/source", "browser", "module", "import", "default"],
    alias: [{ find: /^zod$/, replacement: fileURLToPath(new URL("src/api/zod.ts", import.meta.url)) }],
  },
  build: {
    outDir: "dist/site",
    emptyOutDir: true,
    manifest: true,
    // Of the libraries in it.
    license: { fileName: "licences.md" },
    // A data: URL is refused by our policy.
    assetsInlineLimit: 0,
    target: "es2023",
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/admin": "http://127.0.0.1:4000" } },
});
