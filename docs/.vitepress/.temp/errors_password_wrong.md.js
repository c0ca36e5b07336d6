import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"password_wrong (API 403)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/password_wrong.md","filePath":"packages/control-plane/errors/password_wrong.md"}');
const _sfc_main = { name: "errors/password_wrong.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="password_wrong-api-403" tabindex="-1">password_wrong (API 403) <a class="header-anchor" href="#password_wrong-api-403" aria-label="Permalink to &quot;password_wrong (API 403)&quot;">​</a></h1><p>The current password is wrong.</p><p><strong>Why.</strong> A change of an account needs its password once more.</p><p><strong>What to do.</strong> Enter the current password, or ask an operator for a link.</p><p><strong>Related.</strong> <a href="/errors/sign_in_refused.html"><code>sign_in_refused</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/password_wrong.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const password_wrong = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  password_wrong as default
};
