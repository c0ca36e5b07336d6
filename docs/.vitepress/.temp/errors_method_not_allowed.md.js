import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"method_not_allowed (API 405)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/method_not_allowed.md","filePath":"packages/control-plane/errors/method_not_allowed.md"}');
const _sfc_main = { name: "errors/method_not_allowed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="method_not_allowed-api-405" tabindex="-1">method_not_allowed (API 405) <a class="header-anchor" href="#method_not_allowed-api-405" aria-label="Permalink to &quot;method_not_allowed (API 405)&quot;">​</a></h1><p>The path exists, but not for this method.</p><p><strong>Why.</strong> The header <code>allow</code> of the answer has the methods that exist.</p><p><strong>What to do.</strong> Use one of them.</p><p><strong>Related.</strong> <a href="/errors/route_unknown.html"><code>route_unknown</code></a>. Read more: <a href="/control-plane/api-answers.html">What does the API answer?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/method_not_allowed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const method_not_allowed = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  method_not_allowed as default
};
