import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"not_of_period (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/not_of_period.md","filePath":"packages/control-plane/errors/not_of_period.md"}');
const _sfc_main = { name: "errors/not_of_period.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="not_of_period-api-422" tabindex="-1">not_of_period (API 422) <a class="header-anchor" href="#not_of_period-api-422" aria-label="Permalink to &quot;not_of_period (API 422)&quot;">​</a></h1><p>The invoice is of an order and bills no usage, so <code>usage</code> cannot be given.</p><p><strong>Why.</strong> Only invoices of periods bill usage.</p><p><strong>What to do.</strong> Leave <code>usage</code> out.</p><p><strong>Related.</strong> <a href="/errors/invoice_void.html"><code>invoice_void</code></a>. Read more: <a href="/control-plane/invoices.html">How do I print an invoice?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/not_of_period.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const not_of_period = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  not_of_period as default
};
