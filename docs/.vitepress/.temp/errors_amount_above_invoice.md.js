import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"amount_above_invoice (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/amount_above_invoice.md","filePath":"packages/control-plane/errors/amount_above_invoice.md"}');
const _sfc_main = { name: "errors/amount_above_invoice.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="amount_above_invoice-api-422" tabindex="-1">amount_above_invoice (API 422) <a class="header-anchor" href="#amount_above_invoice-api-422" aria-label="Permalink to &quot;amount_above_invoice (API 422)&quot;">​</a></h1><p>The credit note is larger than what is left of the invoice.</p><p><strong>Why.</strong> Earlier credit notes count.</p><p><strong>What to do.</strong> Credit at most the amount in the message.</p><p><strong>Related.</strong> <a href="/errors/credits_above_invoice.html"><code>credits_above_invoice</code></a>, <a href="/errors/nothing_left.html"><code>nothing_left</code></a>. Read more: <a href="/control-plane/invoices.html">How do I print an invoice?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/amount_above_invoice.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const amount_above_invoice = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  amount_above_invoice as default
};
