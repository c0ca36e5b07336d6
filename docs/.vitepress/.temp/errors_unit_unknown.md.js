import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"unit_unknown (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/unit_unknown.md","filePath":"packages/control-plane/errors/unit_unknown.md"}');
const _sfc_main = { name: "errors/unit_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="unit_unknown-api-422" tabindex="-1">unit_unknown (API 422) <a class="header-anchor" href="#unit_unknown-api-422" aria-label="Permalink to &quot;unit_unknown (API 422)&quot;">​</a></h1><p>The indicator has no rate for a unit of this usage. The usage was not recorded.</p><p><strong>Why.</strong> <code>rawUsage.units</code> has a name that <code>perUnit</code> of the price lacks.</p><p><strong>What to do.</strong> Add the rate to the price, or correct the name. Then retry the dead letters.</p><p><strong>Related.</strong> <a href="/errors/indicator_unknown.html"><code>indicator_unknown</code></a>, <a href="/errors/dead.html"><code>dead</code></a>. Read more: <a href="/control-plane/prices.html">How do I set a price?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/unit_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unit_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unit_unknown as default
};
