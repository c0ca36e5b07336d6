/** @type {import("next").NextConfig} */
// biome-ignore lint/style/noDefaultExport: Next reads it.
export default {
  // The types are checked with those of all tests.
  typescript: { ignoreBuildErrors: true },
};
