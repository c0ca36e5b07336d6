import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"order_too_large (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/order_too_large.md","filePath":"packages/control-plane/errors/order_too_large.md"}');
const _sfc_main = { name: "errors/order_too_large.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="order_too_large-api-422" tabindex="-1">order_too_large (API 422) <a class="header-anchor" href="#order_too_large-api-422" aria-label="Permalink to &quot;order_too_large (API 422)&quot;">​</a></h1><p>The order names more credit currencies than the organisation may have in one.</p><p><strong>Why.</strong> The limit is <code>walletsOfOrder</code>.</p><p><strong>What to do.</strong> Split the order, or let an operator raise the limit.</p><p><strong>Related.</strong> <a href="/errors/too_many_wallets.html"><code>too_many_wallets</code></a>. Read more: <a href="/control-plane/limits.html">What are its limits?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/order_too_large.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const order_too_large = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  order_too_large as default
};
