import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"http (client error)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/http.md","filePath":"packages/control-plane/errors/http.md"}');
const _sfc_main = { name: "errors/http.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="http-client-error" tabindex="-1">http (client error) <a class="header-anchor" href="#http-client-error" aria-label="Permalink to &quot;http (client error)&quot;">​</a></h1><p>The service answered with a status of 400 or above. <code>status</code> and <code>problem</code> have the details.</p><p><strong>Why.</strong> <code>problem.code</code> is the cause, if the answer came from the service: each has a page here. Without <code>problem</code>, a proxy answered.</p><p><strong>What to do.</strong> Look up <code>problem.code</code>. <code>retryable</code> is true for 408, 429 and 5xx.</p><p><strong>Related.</strong> <a href="/errors/unauthorized.html"><code>unauthorized</code></a>, <a href="/errors/invalid_request.html"><code>invalid_request</code></a>, <a href="/errors/rate_limited.html"><code>rate_limited</code></a>. Read more: <a href="/gate/client.html">How do I call the billing service?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/http.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const http = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  http as default
};
