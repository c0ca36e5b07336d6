import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"wallet_postpaid (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/wallet_postpaid.md","filePath":"packages/control-plane/errors/wallet_postpaid.md"}');
const _sfc_main = { name: "errors/wallet_postpaid.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="wallet_postpaid-api-422" tabindex="-1">wallet_postpaid (API 422) <a class="header-anchor" href="#wallet_postpaid-api-422" aria-label="Permalink to &quot;wallet_postpaid (API 422)&quot;">​</a></h1><p>The wallet is postpaid, and this needs a prepaid one.</p><p><strong>Why.</strong> Grants, benefits and top-ups fill prepaid wallets only.</p><p><strong>What to do.</strong> Open a prepaid wallet in another currency, or leave the benefit out.</p><p><strong>Related.</strong> <a href="/errors/wallet_exists.html"><code>wallet_exists</code></a>, <a href="/errors/refused.html"><code>refused</code></a>. Read more: <a href="/control-plane/grants.html">How do I give credits that expire?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/wallet_postpaid.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const wallet_postpaid = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  wallet_postpaid as default
};
