import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"invalid_request (API 400)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/invalid_request.md","filePath":"packages/control-plane/errors/invalid_request.md"}');
const _sfc_main = { name: "errors/invalid_request.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="invalid_request-api-400" tabindex="-1">invalid_request (API 400) <a class="header-anchor" href="#invalid_request-api-400" aria-label="Permalink to &quot;invalid_request (API 400)&quot;">​</a></h1><p>A field of the request is wrong. Nothing was changed.</p><p><strong>Why.</strong> <code>errors</code> has a JSON pointer for each wrong field, with the expected and the received value.</p><p><strong>What to do.</strong> Correct the fields. <code>/docs</code> of the service describes them.</p><p><strong>Related.</strong> <a href="/errors/malformed_json.html"><code>malformed_json</code></a>, <a href="/errors/malformed_request.html"><code>malformed_request</code></a>. Read more: <a href="/control-plane/api-answers.html">What does the API answer?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/invalid_request.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const invalid_request = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  invalid_request as default
};
