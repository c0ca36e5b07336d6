import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"organization_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/organization_unknown.md","filePath":"packages/control-plane/errors/organization_unknown.md"}');
const _sfc_main = { name: "errors/organization_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="organization_unknown-api-404" tabindex="-1">organization_unknown (API 404) <a class="header-anchor" href="#organization_unknown-api-404" aria-label="Permalink to &quot;organization_unknown (API 404)&quot;">​</a></h1><p>There is no such organisation, or you are not a member of it.</p><p><strong>Why.</strong> The answer is the same for both, so that names cannot be probed.</p><p><strong>What to do.</strong> <code>creditgate organizations list</code> shows those that you can see.</p><p><strong>Related.</strong> <a href="/errors/role_missing.html"><code>role_missing</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/organization_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const organization_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  organization_unknown as default
};
