import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"grant_over (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/grant_over.md","filePath":"packages/control-plane/errors/grant_over.md"}');
const _sfc_main = { name: "errors/grant_over.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="grant_over-api-409" tabindex="-1">grant_over (API 409) <a class="header-anchor" href="#grant_over-api-409" aria-label="Permalink to &quot;grant_over (API 409)&quot;">​</a></h1><p>The grant has expired or ended, and cannot be changed.</p><p><strong>Why.</strong> Its credits are no longer in the wallet.</p><p><strong>What to do.</strong> Give a new grant.</p><p><strong>Related.</strong> <a href="/errors/allowance_over.html"><code>allowance_over</code></a>, <a href="/errors/grant_out_of_time.html"><code>grant_out_of_time</code></a>. Read more: <a href="/control-plane/grants.html">How do I give credits that expire?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/grant_over.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const grant_over = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  grant_over as default
};
