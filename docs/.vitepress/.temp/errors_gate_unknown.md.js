import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"gate_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/gate_unknown.md","filePath":"packages/control-plane/errors/gate_unknown.md"}');
const _sfc_main = { name: "errors/gate_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="gate_unknown-api-404" tabindex="-1">gate_unknown (API 404) <a class="header-anchor" href="#gate_unknown-api-404" aria-label="Permalink to &quot;gate_unknown (API 404)&quot;">​</a></h1><p>No gate with this ID has sent a heartbeat in the last hour.</p><p><strong>Why.</strong> The process has exited, or heartbeats are off.</p><p><strong>What to do.</strong> Open the list of gates again.</p><p><strong>Related.</strong> <a href="/errors/too_many_gates.html"><code>too_many_gates</code></a>. Read more: <a href="/control-plane/gates.html">How do I see my gates?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/gate_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const gate_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  gate_unknown as default
};
