import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"wallet_exists (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/wallet_exists.md","filePath":"packages/control-plane/errors/wallet_exists.md"}');
const _sfc_main = { name: "errors/wallet_exists.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="wallet_exists-api-409" tabindex="-1">wallet_exists (API 409) <a class="header-anchor" href="#wallet_exists-api-409" aria-label="Permalink to &quot;wallet_exists (API 409)&quot;">​</a></h1><p>The customer has a wallet in this currency already.</p><p><strong>Why.</strong> A customer has one wallet in each currency.</p><p><strong>What to do.</strong> Use <code>ensure</code>, which returns the existing one.</p><p><strong>Related.</strong> <a href="/errors/wallet_unknown.html"><code>wallet_unknown</code></a>. Read more: <a href="/control-plane/admin-api-money.html">How do I move money over HTTP?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/wallet_exists.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const wallet_exists = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  wallet_exists as default
};
