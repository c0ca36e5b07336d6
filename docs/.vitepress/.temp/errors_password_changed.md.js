import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"password_changed (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/password_changed.md","filePath":"packages/control-plane/errors/password_changed.md"}');
const _sfc_main = { name: "errors/password_changed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="password_changed-api-409" tabindex="-1">password_changed (API 409) <a class="header-anchor" href="#password_changed-api-409" aria-label="Permalink to &quot;password_changed (API 409)&quot;">​</a></h1><p>Another request changed the password at the same time.</p><p><strong>Why.</strong> Two changes of one account ran at once.</p><p><strong>What to do.</strong> Sign in with the new password, and repeat the change if needed.</p><p><strong>Related.</strong> <a href="/errors/password_wrong.html"><code>password_wrong</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/password_changed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const password_changed = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  password_changed as default
};
