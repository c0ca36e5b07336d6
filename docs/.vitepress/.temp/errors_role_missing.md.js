import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"role_missing (API 403)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/role_missing.md","filePath":"packages/control-plane/errors/role_missing.md"}');
const _sfc_main = { name: "errors/role_missing.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="role_missing-api-403" tabindex="-1">role_missing (API 403) <a class="header-anchor" href="#role_missing-api-403" aria-label="Permalink to &quot;role_missing (API 403)&quot;">​</a></h1><p>The person or the token lacks the role for this operation.</p><p><strong>Why.</strong> The message has the role that is needed, and those that are there.</p><p><strong>What to do.</strong> Let an owner of the organisation give the role.</p><p><strong>Related.</strong> <a href="/errors/scope_missing.html"><code>scope_missing</code></a>, <a href="/errors/last_owner.html"><code>last_owner</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/role_missing.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const role_missing = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  role_missing as default
};
