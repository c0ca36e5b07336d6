import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"currency_unknown (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/currency_unknown.md","filePath":"packages/control-plane/errors/currency_unknown.md"}');
const _sfc_main = { name: "errors/currency_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="currency_unknown-api-422" tabindex="-1">currency_unknown (API 422) <a class="header-anchor" href="#currency_unknown-api-422" aria-label="Permalink to &quot;currency_unknown (API 422)&quot;">​</a></h1><p>The organisation has no such credit currency.</p><p><strong>Why.</strong> It is misspelled, or was never created. A wallet in it would never be debited.</p><p><strong>What to do.</strong> Use one that the message lists, or create it: <code>creditgate currencies set</code>.</p><p><strong>Related.</strong> <a href="/errors/currency.html"><code>currency</code></a>, <a href="/errors/wallet_unknown.html"><code>wallet_unknown</code></a>. Read more: <a href="/control-plane/admin-api-money.html">How do I move money over HTTP?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/currency_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const currency_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  currency_unknown as default
};
