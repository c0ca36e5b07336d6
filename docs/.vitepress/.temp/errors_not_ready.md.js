import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"not_ready (API 503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/not_ready.md","filePath":"packages/control-plane/errors/not_ready.md"}');
const _sfc_main = { name: "errors/not_ready.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="not_ready-api-503" tabindex="-1">not_ready (API 503) <a class="header-anchor" href="#not_ready-api-503" aria-label="Permalink to &quot;not_ready (API 503)&quot;">​</a></h1><p>The replica cannot serve requests now.</p><p><strong>Why.</strong> It is stopping, its database cannot be written, or it was full in the last seconds.</p><p><strong>What to do.</strong> Nothing: the load balancer sends requests to another replica meanwhile.</p><p><strong>Related.</strong> <a href="/errors/database_unavailable.html"><code>database_unavailable</code></a>, <a href="/errors/overloaded.html"><code>overloaded</code></a>. Read more: <a href="/control-plane/operations.html">Running the control plane</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/not_ready.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const not_ready = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  not_ready as default
};
