import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"unauthorized (API 401)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/unauthorized.md","filePath":"packages/control-plane/errors/unauthorized.md"}');
const _sfc_main = { name: "errors/unauthorized.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="unauthorized-api-401" tabindex="-1">unauthorized (API 401) <a class="header-anchor" href="#unauthorized-api-401" aria-label="Permalink to &quot;unauthorized (API 401)&quot;">​</a></h1><p>The request has no valid credential.</p><p><strong>Why.</strong> The API key, the admin token or the session is missing, wrong or has ended. The API takes API keys, and <code>/admin/api</code> takes admin tokens.</p><p><strong>What to do.</strong> Check <code>CREDITGATE_API_KEY</code> or <code>CREDITGATE_ADMIN_TOKEN</code>. <code>creditgate api-keys list</code> shows which keys are valid.</p><p><strong>Related.</strong> <a href="/errors/scope_missing.html"><code>scope_missing</code></a>, <a href="/errors/key.html"><code>key</code></a>, <a href="/errors/api_key_ended.html"><code>api_key_ended</code></a>. Read more: <a href="/control-plane/api-answers.html">What does the API answer?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/unauthorized.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unauthorized = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unauthorized as default
};
