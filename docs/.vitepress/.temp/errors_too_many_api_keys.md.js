import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"too_many_api_keys (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/too_many_api_keys.md","filePath":"packages/control-plane/errors/too_many_api_keys.md"}');
const _sfc_main = { name: "errors/too_many_api_keys.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="too_many_api_keys-api-422" tabindex="-1">too_many_api_keys (API 422) <a class="header-anchor" href="#too_many_api_keys-api-422" aria-label="Permalink to &quot;too_many_api_keys (API 422)&quot;">​</a></h1><p>The organisation has as many valid API keys as it may have.</p><p><strong>Why.</strong> The limit is <code>apiKeys</code>, 1,000 by default. Keys that have ended do not count.</p><p><strong>What to do.</strong> Revoke those that nobody uses.</p><p><strong>Related.</strong> <a href="/errors/api_key_ended.html"><code>api_key_ended</code></a>. Read more: <a href="/control-plane/limits.html">What are its limits?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/too_many_api_keys.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const too_many_api_keys = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  too_many_api_keys as default
};
