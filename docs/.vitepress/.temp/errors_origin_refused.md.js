import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"origin_refused (API 403)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/origin_refused.md","filePath":"packages/control-plane/errors/origin_refused.md"}');
const _sfc_main = { name: "errors/origin_refused.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="origin_refused-api-403" tabindex="-1">origin_refused (API 403) <a class="header-anchor" href="#origin_refused-api-403" aria-label="Permalink to &quot;origin_refused (API 403)&quot;">​</a></h1><p>The request came from another site.</p><p><strong>Why.</strong> A browser sends a session&#39;s cookie only from the service&#39;s own pages. This protects against forged requests.</p><p><strong>What to do.</strong> Open the dashboard at the address of <code>--public-url</code>. Programs use a token instead of a session.</p><p><strong>Related.</strong> <a href="/errors/session_required.html"><code>session_required</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/origin_refused.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const origin_refused = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  origin_refused as default
};
