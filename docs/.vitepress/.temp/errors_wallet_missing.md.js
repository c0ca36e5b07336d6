import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"wallet_missing (402)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/wallet_missing.md","filePath":"packages/control-plane/errors/wallet_missing.md"}');
const _sfc_main = { name: "errors/wallet_missing.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="wallet_missing-402" tabindex="-1">wallet_missing (402) <a class="header-anchor" href="#wallet_missing-402" aria-label="Permalink to &quot;wallet_missing (402)&quot;">​</a></h1><p>The customer has no wallet in the currency of the gate.</p><p><strong>Why.</strong> The service knows the customer, but no wallet was opened, or it was opened in another currency.</p><p><strong>What to do.</strong> Open the wallet at sign-up: <code>wallets.ensure(customerId, { kind, creditCurrencyKey })</code> of the admin client, or <code>creditgate wallets create</code>. Check <code>currency</code> of <code>createGate()</code>.</p><p><strong>Related.</strong> <a href="/errors/customer_unknown.html"><code>customer_unknown</code></a>, <a href="/errors/currency.html"><code>currency</code></a>, <a href="/errors/insufficient_credits.html"><code>insufficient_credits</code></a>. Read more: <a href="/start.html">How do I start?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/wallet_missing.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const wallet_missing = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  wallet_missing as default
};
