import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"currency (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/currency.md","filePath":"packages/control-plane/errors/currency.md"}');
const _sfc_main = { name: "errors/currency.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="currency-log-line" tabindex="-1">currency (log line) <a class="header-anchor" href="#currency-log-line" aria-label="Permalink to &quot;currency (log line)&quot;">​</a></h1><p>A customer who has wallets is denied, because none is in the currency of the gate.</p><p><strong>Why.</strong> <code>currency</code> of <code>createGate()</code> is misspelled, or the wallet was opened in another one.</p><p><strong>What to do.</strong> Correct the option, or open a wallet in that currency.</p><p><strong>Related.</strong> <a href="/errors/wallet_missing.html"><code>wallet_missing</code></a>, <a href="/errors/currency_unknown.html"><code>currency_unknown</code></a>. Read more: <a href="/gate/options.html">Which options does a gate have?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/currency.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const currency = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  currency as default
};
