import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"wallet_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/wallet_unknown.md","filePath":"packages/control-plane/errors/wallet_unknown.md"}');
const _sfc_main = { name: "errors/wallet_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="wallet_unknown-api-404" tabindex="-1">wallet_unknown (API 404) <a class="header-anchor" href="#wallet_unknown-api-404" aria-label="Permalink to &quot;wallet_unknown (API 404)&quot;">​</a></h1><p>The customer has no wallet in this currency.</p><p><strong>Why.</strong> It was not opened, or the currency is misspelled.</p><p><strong>What to do.</strong> Open it with <code>creditgate wallets create CUSTOMER CURRENCY</code>.</p><p><strong>Related.</strong> <a href="/errors/wallet_missing.html"><code>wallet_missing</code></a>, <a href="/errors/currency_unknown.html"><code>currency_unknown</code></a>. Read more: <a href="/control-plane/admin-api-money.html">How do I move money over HTTP?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/wallet_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const wallet_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  wallet_unknown as default
};
