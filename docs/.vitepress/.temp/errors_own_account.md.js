import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"own_account (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/own_account.md","filePath":"packages/control-plane/errors/own_account.md"}');
const _sfc_main = { name: "errors/own_account.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="own_account-api-409" tabindex="-1">own_account (API 409) <a class="header-anchor" href="#own_account-api-409" aria-label="Permalink to &quot;own_account (API 409)&quot;">​</a></h1><p>You cannot do this to your own account.</p><p><strong>Why.</strong> An operator who disabled the own account could not return.</p><p><strong>What to do.</strong> Let another operator do it.</p><p><strong>Related.</strong> <a href="/errors/last_owner.html"><code>last_owner</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/own_account.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const own_account = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  own_account as default
};
