import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"api_key_ended (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/api_key_ended.md","filePath":"packages/control-plane/errors/api_key_ended.md"}');
const _sfc_main = { name: "errors/api_key_ended.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="api_key_ended-api-409" tabindex="-1">api_key_ended (API 409) <a class="header-anchor" href="#api_key_ended-api-409" aria-label="Permalink to &quot;api_key_ended (API 409)&quot;">​</a></h1><p>The API key is no longer valid, so it cannot be rotated.</p><p><strong>Why.</strong> It was revoked or has expired.</p><p><strong>What to do.</strong> Create a new key.</p><p><strong>Related.</strong> <a href="/errors/unauthorized.html"><code>unauthorized</code></a>, <a href="/errors/api_key_unknown.html"><code>api_key_unknown</code></a>. Read more: <a href="/control-plane/admin-api.html">How do I administer it over HTTP?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/api_key_ended.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const api_key_ended = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  api_key_ended as default
};
