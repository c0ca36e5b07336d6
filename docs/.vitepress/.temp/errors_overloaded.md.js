import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"overloaded (API 503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/overloaded.md","filePath":"packages/control-plane/errors/overloaded.md"}');
const _sfc_main = { name: "errors/overloaded.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="overloaded-api-503" tabindex="-1">overloaded (API 503) <a class="header-anchor" href="#overloaded-api-503" aria-label="Permalink to &quot;overloaded (API 503)&quot;">​</a></h1><p>The replica has more work than it can do.</p><p><strong>Why.</strong> Too many requests wait for the database, or one client uses more than its share.</p><p><strong>What to do.</strong> Wait for <code>Retry-After</code>. Add replicas if it lasts.</p><p><strong>Related.</strong> <a href="/errors/rate_limited.html"><code>rate_limited</code></a>, <a href="/errors/not_ready.html"><code>not_ready</code></a>. Read more: <a href="/control-plane/operations.html">Running the control plane</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/overloaded.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const overloaded = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  overloaded as default
};
