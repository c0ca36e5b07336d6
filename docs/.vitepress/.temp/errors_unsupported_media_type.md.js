import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"unsupported_media_type (API 415)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/unsupported_media_type.md","filePath":"packages/control-plane/errors/unsupported_media_type.md"}');
const _sfc_main = { name: "errors/unsupported_media_type.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="unsupported_media_type-api-415" tabindex="-1">unsupported_media_type (API 415) <a class="header-anchor" href="#unsupported_media_type-api-415" aria-label="Permalink to &quot;unsupported_media_type (API 415)&quot;">​</a></h1><p>The body has a type or an encoding that the API does not read.</p><p><strong>Why.</strong> The API reads JSON, plain or compressed with gzip.</p><p><strong>What to do.</strong> Send <code>content-type: application/json</code>.</p><p><strong>Related.</strong> <a href="/errors/malformed_json.html"><code>malformed_json</code></a>. Read more: <a href="/control-plane/api-answers.html">What does the API answer?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/unsupported_media_type.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unsupported_media_type = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unsupported_media_type as default
};
