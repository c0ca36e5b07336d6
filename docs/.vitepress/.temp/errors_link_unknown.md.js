import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"link_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/link_unknown.md","filePath":"packages/control-plane/errors/link_unknown.md"}');
const _sfc_main = { name: "errors/link_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="link_unknown-api-404" tabindex="-1">link_unknown (API 404) <a class="header-anchor" href="#link_unknown-api-404" aria-label="Permalink to &quot;link_unknown (API 404)&quot;">​</a></h1><p>The link cannot be used.</p><p><strong>Why.</strong> It was used already, was revoked, or has expired.</p><p><strong>What to do.</strong> Ask for a new one.</p><p><strong>Related.</strong> <a href="/errors/invitation_unknown.html"><code>invitation_unknown</code></a>, <a href="/errors/account_exists.html"><code>account_exists</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/link_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const link_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  link_unknown as default
};
