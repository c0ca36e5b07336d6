import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"malformed_request (API 400)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/malformed_request.md","filePath":"packages/control-plane/errors/malformed_request.md"}');
const _sfc_main = { name: "errors/malformed_request.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="malformed_request-api-400" tabindex="-1">malformed_request (API 400) <a class="header-anchor" href="#malformed_request-api-400" aria-label="Permalink to &quot;malformed_request (API 400)&quot;">​</a></h1><p>The request cannot be read.</p><p><strong>Why.</strong> The body is incomplete, its <code>content-encoding</code> does not match, or the path cannot be decoded.</p><p><strong>What to do.</strong> Correct the client that sends it. A proxy may have changed the body.</p><p><strong>Related.</strong> <a href="/errors/malformed_json.html"><code>malformed_json</code></a>, <a href="/errors/body_too_large.html"><code>body_too_large</code></a>. Read more: <a href="/control-plane/api-answers.html">What does the API answer?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/malformed_request.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const malformed_request = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  malformed_request as default
};
