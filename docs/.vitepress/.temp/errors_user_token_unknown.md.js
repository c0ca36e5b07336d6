import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"user_token_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/user_token_unknown.md","filePath":"packages/control-plane/errors/user_token_unknown.md"}');
const _sfc_main = { name: "errors/user_token_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="user_token_unknown-api-404" tabindex="-1">user_token_unknown (API 404) <a class="header-anchor" href="#user_token_unknown-api-404" aria-label="Permalink to &quot;user_token_unknown (API 404)&quot;">​</a></h1><p>You have no token with this ID.</p><p><strong>Why.</strong> It was revoked, or belongs to another person.</p><p><strong>What to do.</strong> List your tokens.</p><p><strong>Related.</strong> <a href="/errors/too_many_tokens.html"><code>too_many_tokens</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/user_token_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const user_token_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  user_token_unknown as default
};
