import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"malformed_json (API 400)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/malformed_json.md","filePath":"packages/control-plane/errors/malformed_json.md"}');
const _sfc_main = { name: "errors/malformed_json.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="malformed_json-api-400" tabindex="-1">malformed_json (API 400) <a class="header-anchor" href="#malformed_json-api-400" aria-label="Permalink to &quot;malformed_json (API 400)&quot;">​</a></h1><p>The body is not JSON.</p><p><strong>Why.</strong> It was cut off, or encoded twice, or is of another type.</p><p><strong>What to do.</strong> Send valid JSON with <code>content-type: application/json</code>.</p><p><strong>Related.</strong> <a href="/errors/malformed_request.html"><code>malformed_request</code></a>, <a href="/errors/unsupported_media_type.html"><code>unsupported_media_type</code></a>. Read more: <a href="/control-plane/api-answers.html">What does the API answer?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/malformed_json.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const malformed_json = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  malformed_json as default
};
