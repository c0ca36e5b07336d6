import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"database_unavailable (API 503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/database_unavailable.md","filePath":"packages/control-plane/errors/database_unavailable.md"}');
const _sfc_main = { name: "errors/database_unavailable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="database_unavailable-api-503" tabindex="-1">database_unavailable (API 503) <a class="header-anchor" href="#database_unavailable-api-503" aria-label="Permalink to &quot;database_unavailable (API 503)&quot;">​</a></h1><p>The database cannot do this now.</p><p><strong>Why.</strong> It is unreachable, locked, read-only or full.</p><p><strong>What to do.</strong> Wait for <code>Retry-After</code>. Gates retry by themselves. Check PostgreSQL.</p><p><strong>Related.</strong> <a href="/errors/database_unreachable.html"><code>database_unreachable</code></a>, <a href="/errors/not_ready.html"><code>not_ready</code></a>. Read more: <a href="/control-plane/failover.html">How does it survive the loss of a machine?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/database_unavailable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const database_unavailable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  database_unavailable as default
};
