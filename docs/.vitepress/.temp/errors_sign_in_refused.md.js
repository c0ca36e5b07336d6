import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"sign_in_refused (API 401)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/sign_in_refused.md","filePath":"packages/control-plane/errors/sign_in_refused.md"}');
const _sfc_main = { name: "errors/sign_in_refused.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="sign_in_refused-api-401" tabindex="-1">sign_in_refused (API 401) <a class="header-anchor" href="#sign_in_refused-api-401" aria-label="Permalink to &quot;sign_in_refused (API 401)&quot;">​</a></h1><p>The email address and the password are not those of an account.</p><p><strong>Why.</strong> One of them is wrong, or the account was disabled. The answer does not reveal which.</p><p><strong>What to do.</strong> Try again, or ask an operator for a link: <code>creditgate users link EMAIL</code>.</p><p><strong>Related.</strong> <a href="/errors/too_many_attempts.html"><code>too_many_attempts</code></a>, <a href="/errors/password_wrong.html"><code>password_wrong</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/sign_in_refused.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const sign_in_refused = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  sign_in_refused as default
};
