import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"edit_conflict (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/edit_conflict.md","filePath":"packages/control-plane/errors/edit_conflict.md"}');
const _sfc_main = { name: "errors/edit_conflict.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="edit_conflict-api-409" tabindex="-1">edit_conflict (API 409) <a class="header-anchor" href="#edit_conflict-api-409" aria-label="Permalink to &quot;edit_conflict (API 409)&quot;">​</a></h1><p>The record has changed since you read it. Nothing was saved.</p><p><strong>Why.</strong> Somebody else saved first. <code>conflict</code> has their change and the present record.</p><p><strong>What to do.</strong> Read the record again, and repeat your change if it is still right.</p><p><strong>Related.</strong> <a href="/errors/invalid_request.html"><code>invalid_request</code></a>. Read more: <a href="/control-plane/admin-api.html">How do I administer it over HTTP?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/edit_conflict.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const edit_conflict = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  edit_conflict as default
};
