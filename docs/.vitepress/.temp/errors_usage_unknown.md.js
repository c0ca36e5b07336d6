import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"usage_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/usage_unknown.md","filePath":"packages/control-plane/errors/usage_unknown.md"}');
const _sfc_main = { name: "errors/usage_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="usage_unknown-api-404" tabindex="-1">usage_unknown (API 404) <a class="header-anchor" href="#usage_unknown-api-404" aria-label="Permalink to &quot;usage_unknown (API 404)&quot;">​</a></h1><p>There is no usage with this ID.</p><p><strong>Why.</strong> The ID is wrong, of another organisation, or the month of the usage was removed.</p><p><strong>What to do.</strong> List the usage of the customer.</p><p><strong>Related.</strong> <a href="/errors/event_unknown.html"><code>event_unknown</code></a>. Read more: <a href="/control-plane/admin-api-usage.html">How do I look at usage over HTTP?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/usage_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const usage_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  usage_unknown as default
};
