import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"api_key_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/api_key_unknown.md","filePath":"packages/control-plane/errors/api_key_unknown.md"}');
const _sfc_main = { name: "errors/api_key_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="api_key_unknown-api-404" tabindex="-1">api_key_unknown (API 404) <a class="header-anchor" href="#api_key_unknown-api-404" aria-label="Permalink to &quot;api_key_unknown (API 404)&quot;">​</a></h1><p>The organisation has no API key with this ID.</p><p><strong>Why.</strong> The ID is not the key itself: it is the <code>keyId</code> of the list.</p><p><strong>What to do.</strong> <code>creditgate api-keys list</code> shows it.</p><p><strong>Related.</strong> <a href="/errors/api_key_ended.html"><code>api_key_ended</code></a>. Read more: <a href="/control-plane/admin-api.html">How do I administer it over HTTP?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/api_key_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const api_key_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  api_key_unknown as default
};
