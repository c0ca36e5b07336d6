import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"allowance_over (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/allowance_over.md","filePath":"packages/control-plane/errors/allowance_over.md"}');
const _sfc_main = { name: "errors/allowance_over.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="allowance_over-api-409" tabindex="-1">allowance_over (API 409) <a class="header-anchor" href="#allowance_over-api-409" aria-label="Permalink to &quot;allowance_over (API 409)&quot;">​</a></h1><p>The allowance has ended and cannot be changed.</p><p><strong>Why.</strong> Somebody ended it before.</p><p><strong>What to do.</strong> Create a new allowance.</p><p><strong>Related.</strong> <a href="/errors/grant_over.html"><code>grant_over</code></a>. Read more: <a href="/control-plane/grants.html">How do I give credits that expire?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/allowance_over.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const allowance_over = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  allowance_over as default
};
