/** @type {import("next").NextConfig} */
// biome-ignore lint/style/noDefaultExport: Next reads it.
export default { typescript: { ignoreBuildErrors: true }, devIndicators: false };
