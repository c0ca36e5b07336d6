import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"lag (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/lag.md","filePath":"packages/control-plane/errors/lag.md"}');
const _sfc_main = { name: "errors/lag.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="lag-log-line" tabindex="-1">lag (log line) <a class="header-anchor" href="#lag-log-line" aria-label="Permalink to &quot;lag (log line)&quot;">​</a></h1><p>A report was accepted, and <code>settlementLagMs</code> later the balance had not changed.</p><p><strong>Why.</strong> The indicator is not billed in credits, or in another currency. Or the service debits later than you configured, and then the wallet can be overspent.</p><p><strong>What to do.</strong> Bill the indicator in CREDITS and in the currency of the gate. Or raise <code>settlementLagMs</code> above the time that the service takes to debit.</p><p><strong>Related.</strong> <a href="/errors/debit.html"><code>debit</code></a>, <a href="/errors/setup.html"><code>setup</code></a>. Read more: <a href="/concepts/settlement.html">What is settlement, and what is unconfirmed usage?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/lag.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const lag = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  lag as default
};
