import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"grant_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/grant_unknown.md","filePath":"packages/control-plane/errors/grant_unknown.md"}');
const _sfc_main = { name: "errors/grant_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="grant_unknown-api-404" tabindex="-1">grant_unknown (API 404) <a class="header-anchor" href="#grant_unknown-api-404" aria-label="Permalink to &quot;grant_unknown (API 404)&quot;">​</a></h1><p>The wallet has no grant with this ID.</p><p><strong>Why.</strong> The ID is wrong, or of another wallet.</p><p><strong>What to do.</strong> <code>creditgate grants list</code> shows those that exist.</p><p><strong>Related.</strong> <a href="/errors/grant_over.html"><code>grant_over</code></a>. Read more: <a href="/control-plane/grants.html">How do I give credits that expire?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/grant_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const grant_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  grant_unknown as default
};
