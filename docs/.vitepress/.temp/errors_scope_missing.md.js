import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"scope_missing (API 403)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/scope_missing.md","filePath":"packages/control-plane/errors/scope_missing.md"}');
const _sfc_main = { name: "errors/scope_missing.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="scope_missing-api-403" tabindex="-1">scope_missing (API 403) <a class="header-anchor" href="#scope_missing-api-403" aria-label="Permalink to &quot;scope_missing (API 403)&quot;">​</a></h1><p>The API key lacks the scope for this operation.</p><p><strong>Why.</strong> The message has the scope that is needed, and those of the key.</p><p><strong>What to do.</strong> Create a key with that scope: <code>creditgate api-keys create</code>.</p><p><strong>Related.</strong> <a href="/errors/unauthorized.html"><code>unauthorized</code></a>, <a href="/errors/role_missing.html"><code>role_missing</code></a>. Read more: <a href="/control-plane/api-answers.html">What does the API answer?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/scope_missing.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const scope_missing = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  scope_missing as default
};
