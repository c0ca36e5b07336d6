import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"url_refused (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/url_refused.md","filePath":"packages/control-plane/errors/url_refused.md"}');
const _sfc_main = { name: "errors/url_refused.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="url_refused-api-422" tabindex="-1">url_refused (API 422) <a class="header-anchor" href="#url_refused-api-422" aria-label="Permalink to &quot;url_refused (API 422)&quot;">​</a></h1><p>The address of the webhook endpoint is not allowed.</p><p><strong>Why.</strong> It is not https, or leads into a private network.</p><p><strong>What to do.</strong> Use a public https address.</p><p><strong>Related.</strong> <a href="/errors/webhook_disabled.html"><code>webhook_disabled</code></a>. Read more: <a href="/control-plane/webhooks.html">How do I receive webhooks?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/url_refused.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const url_refused = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  url_refused as default
};
