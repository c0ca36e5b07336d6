import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"session_required (API 403)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/session_required.md","filePath":"packages/control-plane/errors/session_required.md"}');
const _sfc_main = { name: "errors/session_required.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="session_required-api-403" tabindex="-1">session_required (API 403) <a class="header-anchor" href="#session_required-api-403" aria-label="Permalink to &quot;session_required (API 403)&quot;">​</a></h1><p>Only a person who has signed in can do this.</p><p><strong>Why.</strong> The request came with a token.</p><p><strong>What to do.</strong> Sign in to the dashboard.</p><p><strong>Related.</strong> <a href="/errors/origin_refused.html"><code>origin_refused</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/session_required.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const session_required = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  session_required as default
};
