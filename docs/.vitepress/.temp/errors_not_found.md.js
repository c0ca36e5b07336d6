import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"not_found (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/not_found.md","filePath":"packages/control-plane/errors/not_found.md"}');
const _sfc_main = { name: "errors/not_found.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="not_found-api-404" tabindex="-1">not_found (API 404) <a class="header-anchor" href="#not_found-api-404" aria-label="Permalink to &quot;not_found (API 404)&quot;">​</a></h1><p>The dashboard has no such file.</p><p><strong>Why.</strong> The address is wrong, or the page is of another version.</p><p><strong>What to do.</strong> Reload <code>/dashboard</code>.</p><p><strong>Related.</strong> <a href="/errors/route_unknown.html"><code>route_unknown</code></a>. Read more: <a href="/control-plane/dashboard.html">What does the dashboard show?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/not_found.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const not_found = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  not_found as default
};
