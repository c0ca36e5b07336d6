import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"allowance_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/allowance_unknown.md","filePath":"packages/control-plane/errors/allowance_unknown.md"}');
const _sfc_main = { name: "errors/allowance_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="allowance_unknown-api-404" tabindex="-1">allowance_unknown (API 404) <a class="header-anchor" href="#allowance_unknown-api-404" aria-label="Permalink to &quot;allowance_unknown (API 404)&quot;">​</a></h1><p>There is no allowance with this ID.</p><p><strong>Why.</strong> The ID is wrong, or of another wallet.</p><p><strong>What to do.</strong> <code>creditgate allowances list</code> shows those that exist.</p><p><strong>Related.</strong> <a href="/errors/allowance_over.html"><code>allowance_over</code></a>. Read more: <a href="/control-plane/grants.html">How do I give credits that expire?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/allowance_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const allowance_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  allowance_unknown as default
};
