import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"too_many_gates (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/too_many_gates.md","filePath":"packages/control-plane/errors/too_many_gates.md"}');
const _sfc_main = { name: "errors/too_many_gates.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="too_many_gates-api-409" tabindex="-1">too_many_gates (API 409) <a class="header-anchor" href="#too_many_gates-api-409" aria-label="Permalink to &quot;too_many_gates (API 409)&quot;">​</a></h1><p>The organisation has more gates, or more names of decisions, than are recorded.</p><p><strong>Why.</strong> Processes are created faster than they are forgotten, or agent and indicator names are generated.</p><p><strong>What to do.</strong> Nothing is lost except figures in the dashboard. Use fixed names of agents and indicators.</p><p><strong>Related.</strong> <a href="/errors/gate_unknown.html"><code>gate_unknown</code></a>. Read more: <a href="/control-plane/gates.html">How do I see my gates?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/too_many_gates.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const too_many_gates = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  too_many_gates as default
};
