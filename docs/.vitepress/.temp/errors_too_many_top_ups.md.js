import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"too_many_top_ups (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/too_many_top_ups.md","filePath":"packages/control-plane/errors/too_many_top_ups.md"}');
const _sfc_main = { name: "errors/too_many_top_ups.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="too_many_top_ups-api-422" tabindex="-1">too_many_top_ups (API 422) <a class="header-anchor" href="#too_many_top_ups-api-422" aria-label="Permalink to &quot;too_many_top_ups (API 422)&quot;">​</a></h1><p>The request tops up more wallets than one request can.</p><p><strong>Why.</strong> All of them are locked at once.</p><p><strong>What to do.</strong> Split it into several requests, each with its own key.</p><p><strong>Related.</strong> <a href="/errors/body_too_large.html"><code>body_too_large</code></a>. Read more: <a href="/control-plane/limits.html">What are its limits?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/too_many_top_ups.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const too_many_top_ups = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  too_many_top_ups as default
};
