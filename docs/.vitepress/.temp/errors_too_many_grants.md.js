import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"too_many_grants (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/too_many_grants.md","filePath":"packages/control-plane/errors/too_many_grants.md"}');
const _sfc_main = { name: "errors/too_many_grants.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="too_many_grants-api-422" tabindex="-1">too_many_grants (API 422) <a class="header-anchor" href="#too_many_grants-api-422" aria-label="Permalink to &quot;too_many_grants (API 422)&quot;">​</a></h1><p>The wallet has as many open grants as it can have.</p><p><strong>Why.</strong> Each order and each top-up that expires adds one.</p><p><strong>What to do.</strong> Wait until some have expired, or end some.</p><p><strong>Related.</strong> <a href="/errors/grant_over.html"><code>grant_over</code></a>. Read more: <a href="/control-plane/grants.html">How do I give credits that expire?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/too_many_grants.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const too_many_grants = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  too_many_grants as default
};
