import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"account_exists (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/account_exists.md","filePath":"packages/control-plane/errors/account_exists.md"}');
const _sfc_main = { name: "errors/account_exists.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="account_exists-api-409" tabindex="-1">account_exists (API 409) <a class="header-anchor" href="#account_exists-api-409" aria-label="Permalink to &quot;account_exists (API 409)&quot;">​</a></h1><p>The email address of the link has an account already.</p><p><strong>Why.</strong> The account must be signed in to accept the link.</p><p><strong>What to do.</strong> Sign in, and open the link again.</p><p><strong>Related.</strong> <a href="/errors/link_unknown.html"><code>link_unknown</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/account_exists.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const account_exists = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  account_exists as default
};
