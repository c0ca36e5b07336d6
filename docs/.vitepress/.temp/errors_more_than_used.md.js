import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"more_than_used (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/more_than_used.md","filePath":"packages/control-plane/errors/more_than_used.md"}');
const _sfc_main = { name: "errors/more_than_used.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="more_than_used-api-422" tabindex="-1">more_than_used (API 422) <a class="header-anchor" href="#more_than_used-api-422" aria-label="Permalink to &quot;more_than_used (API 422)&quot;">​</a></h1><p>The correction is larger than what the postpaid wallet has used.</p><p><strong>Why.</strong> A postpaid wallet cannot fall below zero.</p><p><strong>What to do.</strong> Correct at most <code>postpaidUsed</code>.</p><p><strong>Related.</strong> <a href="/errors/amount_out_of_range.html"><code>amount_out_of_range</code></a>. Read more: <a href="/control-plane/admin-api-money.html">How do I move money over HTTP?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/more_than_used.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const more_than_used = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  more_than_used as default
};
