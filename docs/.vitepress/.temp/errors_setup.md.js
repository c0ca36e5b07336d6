import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"setup (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/setup.md","filePath":"packages/control-plane/errors/setup.md"}');
const _sfc_main = { name: "errors/setup.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="setup-log-line" tabindex="-1">setup (log line) <a class="header-anchor" href="#setup-log-line" aria-label="Permalink to &quot;setup (log line)&quot;">​</a></h1><p>The gate and the service do not fit.</p><p><strong>Why.</strong> An agent or an indicator does not exist, is billed in another currency, or costs more than <code>price()</code> returns. The line names it.</p><p><strong>What to do.</strong> Correct the name, or create it at the service. <code>creditgate doctor</code> and <code>gate.check()</code> show all findings.</p><p><strong>Related.</strong> <a href="/errors/unbillable.html"><code>unbillable</code></a>, <a href="/errors/indicator_unknown.html"><code>indicator_unknown</code></a>, <a href="/errors/lag.html"><code>lag</code></a>. Read more: <a href="/gate/operate.html">How do I operate a gate?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/setup.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const setup = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  setup as default
};
