import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"internal (API 500)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/internal.md","filePath":"packages/control-plane/errors/internal.md"}');
const _sfc_main = { name: "errors/internal.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="internal-api-500" tabindex="-1">internal (API 500) <a class="header-anchor" href="#internal-api-500" aria-label="Permalink to &quot;internal (API 500)&quot;">​</a></h1><p>The control plane failed in a way that it does not know.</p><p><strong>Why.</strong> Its log has the error and the place.</p><p><strong>What to do.</strong> Retry. If it happens again, report it with the log.</p><p><strong>Related.</strong> <a href="/errors/database_unavailable.html"><code>database_unavailable</code></a>. Read more: <a href="/control-plane/operations.html">Running the control plane</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/internal.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const internal = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  internal as default
};
