import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"grant_out_of_time (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/grant_out_of_time.md","filePath":"packages/control-plane/errors/grant_out_of_time.md"}');
const _sfc_main = { name: "errors/grant_out_of_time.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="grant_out_of_time-api-422" tabindex="-1">grant_out_of_time (API 422) <a class="header-anchor" href="#grant_out_of_time-api-422" aria-label="Permalink to &quot;grant_out_of_time (API 422)&quot;">​</a></h1><p>The times of the grant do not fit.</p><p><strong>Why.</strong> It would end before it begins, or in the past.</p><p><strong>What to do.</strong> Correct the field that the message names.</p><p><strong>Related.</strong> <a href="/errors/grant_over.html"><code>grant_over</code></a>. Read more: <a href="/control-plane/grants.html">How do I give credits that expire?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/grant_out_of_time.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const grant_out_of_time = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  grant_out_of_time as default
};
