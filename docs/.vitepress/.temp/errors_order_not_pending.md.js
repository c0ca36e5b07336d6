import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"order_not_pending (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/order_not_pending.md","filePath":"packages/control-plane/errors/order_not_pending.md"}');
const _sfc_main = { name: "errors/order_not_pending.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="order_not_pending-api-409" tabindex="-1">order_not_pending (API 409) <a class="header-anchor" href="#order_not_pending-api-409" aria-label="Permalink to &quot;order_not_pending (API 409)&quot;">​</a></h1><p>The order no longer waits for its payment, so it cannot be cancelled.</p><p><strong>Why.</strong> It is active, superseded or cancelled.</p><p><strong>What to do.</strong> For a paid order, create a credit note.</p><p><strong>Related.</strong> <a href="/errors/invoice_paid.html"><code>invoice_paid</code></a>. Read more: <a href="/control-plane/invoices.html">How do I print an invoice?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/order_not_pending.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const order_not_pending = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  order_not_pending as default
};
