import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"invoice_not_paid (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/invoice_not_paid.md","filePath":"packages/control-plane/errors/invoice_not_paid.md"}');
const _sfc_main = { name: "errors/invoice_not_paid.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="invoice_not_paid-api-409" tabindex="-1">invoice_not_paid (API 409) <a class="header-anchor" href="#invoice_not_paid-api-409" aria-label="Permalink to &quot;invoice_not_paid (API 409)&quot;">​</a></h1><p>The invoice is not paid, so nothing can be credited.</p><p><strong>Why.</strong> A credit note returns what was paid.</p><p><strong>What to do.</strong> Void an open invoice instead.</p><p><strong>Related.</strong> <a href="/errors/invoice_paid.html"><code>invoice_paid</code></a>, <a href="/errors/nothing_left.html"><code>nothing_left</code></a>. Read more: <a href="/control-plane/invoices.html">How do I print an invoice?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/invoice_not_paid.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const invoice_not_paid = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  invoice_not_paid as default
};
