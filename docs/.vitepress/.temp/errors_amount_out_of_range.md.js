import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"amount_out_of_range (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/amount_out_of_range.md","filePath":"packages/control-plane/errors/amount_out_of_range.md"}');
const _sfc_main = { name: "errors/amount_out_of_range.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="amount_out_of_range-api-422" tabindex="-1">amount_out_of_range (API 422) <a class="header-anchor" href="#amount_out_of_range-api-422" aria-label="Permalink to &quot;amount_out_of_range (API 422)&quot;">​</a></h1><p>The amount is larger than a wallet or a report can hold.</p><p><strong>Why.</strong> Usage costs at most one billion credits, and a wallet holds a bounded sum.</p><p><strong>What to do.</strong> Check the unit: credits, not micro-credits or tokens.</p><p><strong>Related.</strong> <a href="/errors/invalid_request.html"><code>invalid_request</code></a>. Read more: <a href="/control-plane/api-answers.html">What does the API answer?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/amount_out_of_range.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const amount_out_of_range = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  amount_out_of_range as default
};
