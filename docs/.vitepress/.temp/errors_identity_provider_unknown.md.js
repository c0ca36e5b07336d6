import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"identity_provider_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/identity_provider_unknown.md","filePath":"packages/control-plane/errors/identity_provider_unknown.md"}');
const _sfc_main = { name: "errors/identity_provider_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="identity_provider_unknown-api-404" tabindex="-1">identity_provider_unknown (API 404) <a class="header-anchor" href="#identity_provider_unknown-api-404" aria-label="Permalink to &quot;identity_provider_unknown (API 404)&quot;">​</a></h1><p>The server has no identity provider.</p><p><strong>Why.</strong> It was started without <code>--oidc-issuer</code>.</p><p><strong>What to do.</strong> Sign in with a password, or set up OpenID Connect.</p><p><strong>Related.</strong> <a href="/errors/sign_in_refused.html"><code>sign_in_refused</code></a>. Read more: <a href="/control-plane/openid-connect.html">How do people sign in with OpenID Connect?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/identity_provider_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const identity_provider_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  identity_provider_unknown as default
};
