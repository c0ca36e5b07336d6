import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"too_many_wallets (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/too_many_wallets.md","filePath":"packages/control-plane/errors/too_many_wallets.md"}');
const _sfc_main = { name: "errors/too_many_wallets.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="too_many_wallets-api-422" tabindex="-1">too_many_wallets (API 422) <a class="header-anchor" href="#too_many_wallets-api-422" aria-label="Permalink to &quot;too_many_wallets (API 422)&quot;">​</a></h1><p>The customer has as many wallets as it may have.</p><p><strong>Why.</strong> The limit is <code>walletsOfCustomer</code>, 500 by default. Each read of a balance returns all of them.</p><p><strong>What to do.</strong> Use fewer currencies, or let an operator raise the limit.</p><p><strong>Related.</strong> <a href="/errors/order_too_large.html"><code>order_too_large</code></a>. Read more: <a href="/control-plane/limits.html">What are its limits?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/too_many_wallets.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const too_many_wallets = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  too_many_wallets as default
};
