import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"invoice_void (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/invoice_void.md","filePath":"packages/control-plane/errors/invoice_void.md"}');
const _sfc_main = { name: "errors/invoice_void.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="invoice_void-api-409" tabindex="-1">invoice_void (API 409) <a class="header-anchor" href="#invoice_void-api-409" aria-label="Permalink to &quot;invoice_void (API 409)&quot;">​</a></h1><p>The invoice was voided.</p><p><strong>Why.</strong> A payment was reported for it, or it was voided before with another decision about its usage.</p><p><strong>What to do.</strong> Return the payment, or create a new order.</p><p><strong>Related.</strong> <a href="/errors/invoice_paid.html"><code>invoice_paid</code></a>. Read more: <a href="/control-plane/invoices.html">How do I print an invoice?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/invoice_void.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const invoice_void = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  invoice_void as default
};
