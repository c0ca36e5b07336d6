import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"last_owner (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/last_owner.md","filePath":"packages/control-plane/errors/last_owner.md"}');
const _sfc_main = { name: "errors/last_owner.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="last_owner-api-409" tabindex="-1">last_owner (API 409) <a class="header-anchor" href="#last_owner-api-409" aria-label="Permalink to &quot;last_owner (API 409)&quot;">​</a></h1><p>The organisation would have no owner left.</p><p><strong>Why.</strong> This member is the last owner.</p><p><strong>What to do.</strong> Make another member an owner first.</p><p><strong>Related.</strong> <a href="/errors/role_missing.html"><code>role_missing</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/last_owner.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const last_owner = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  last_owner as default
};
