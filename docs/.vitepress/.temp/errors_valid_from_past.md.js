import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"valid_from_past (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/valid_from_past.md","filePath":"packages/control-plane/errors/valid_from_past.md"}');
const _sfc_main = { name: "errors/valid_from_past.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="valid_from_past-api-422" tabindex="-1">valid_from_past (API 422) <a class="header-anchor" href="#valid_from_past-api-422" aria-label="Permalink to &quot;valid_from_past (API 422)&quot;">​</a></h1><p>A price or an issuer cannot begin in the past.</p><p><strong>Why.</strong> Usage was priced and invoices were printed by then.</p><p><strong>What to do.</strong> Leave <code>validFrom</code> out to begin now, or name a later instant.</p><p><strong>Related.</strong> <a href="/errors/too_many_prices.html"><code>too_many_prices</code></a>. Read more: <a href="/control-plane/prices.html">How do I set a price?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/valid_from_past.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const valid_from_past = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  valid_from_past as default
};
