import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"debit (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/debit.md","filePath":"packages/control-plane/errors/debit.md"}');
const _sfc_main = { name: "errors/debit.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="debit-log-line" tabindex="-1">debit (log line) <a class="header-anchor" href="#debit-log-line" aria-label="Permalink to &quot;debit (log line)&quot;">​</a></h1><p>The service debited more than the gate knew of. A wallet may be overspent.</p><p><strong>Why.</strong> Something else spends the wallet, <code>price()</code> returns too little, or the indicator is billed in another currency.</p><p><strong>What to do.</strong> Let all spending pass a gate. Correct <code>price()</code>, or leave it out if the service reports costs.</p><p><strong>Related.</strong> <a href="/errors/lag.html"><code>lag</code></a>, <a href="/errors/price.html"><code>price</code></a>. Read more: <a href="/gate/promise.html">What does the gate promise?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/debit.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const debit = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  debit as default
};
