import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"issuer_missing (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/issuer_missing.md","filePath":"packages/control-plane/errors/issuer_missing.md"}');
const _sfc_main = { name: "errors/issuer_missing.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="issuer_missing-api-409" tabindex="-1">issuer_missing (API 409) <a class="header-anchor" href="#issuer_missing-api-409" aria-label="Permalink to &quot;issuer_missing (API 409)&quot;">​</a></h1><p>The document cannot be printed, because no issuer is set.</p><p><strong>Why.</strong> An invoice must name who issued it.</p><p><strong>What to do.</strong> Set name and address of the issuer first: <code>creditgate issuers set</code>.</p><p><strong>Related.</strong> <a href="/errors/operator_needed.html"><code>operator_needed</code></a>. Read more: <a href="/control-plane/invoices.html">How do I print an invoice?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/issuer_missing.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const issuer_missing = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  issuer_missing as default
};
