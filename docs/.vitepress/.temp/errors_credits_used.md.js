import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"credits_used (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/credits_used.md","filePath":"packages/control-plane/errors/credits_used.md"}');
const _sfc_main = { name: "errors/credits_used.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="credits_used-api-422" tabindex="-1">credits_used (API 422) <a class="header-anchor" href="#credits_used-api-422" aria-label="Permalink to &quot;credits_used (API 422)&quot;">​</a></h1><p>The credits were spent, and cannot be taken back.</p><p><strong>Why.</strong> Accepted usage needs them.</p><p><strong>What to do.</strong> Take back less, or return money only.</p><p><strong>Related.</strong> <a href="/errors/credits_above_invoice.html"><code>credits_above_invoice</code></a>. Read more: <a href="/control-plane/grants.html">How do I give credits that expire?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/credits_used.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const credits_used = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  credits_used as default
};
