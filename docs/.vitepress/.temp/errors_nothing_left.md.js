import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"nothing_left (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/nothing_left.md","filePath":"packages/control-plane/errors/nothing_left.md"}');
const _sfc_main = { name: "errors/nothing_left.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="nothing_left-api-422" tabindex="-1">nothing_left (API 422) <a class="header-anchor" href="#nothing_left-api-422" aria-label="Permalink to &quot;nothing_left (API 422)&quot;">​</a></h1><p>The whole invoice has been credited already.</p><p><strong>Why.</strong> Earlier credit notes returned all of it.</p><p><strong>What to do.</strong> Nothing.</p><p><strong>Related.</strong> <a href="/errors/amount_above_invoice.html"><code>amount_above_invoice</code></a>. Read more: <a href="/control-plane/invoices.html">How do I print an invoice?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/nothing_left.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const nothing_left = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  nothing_left as default
};
