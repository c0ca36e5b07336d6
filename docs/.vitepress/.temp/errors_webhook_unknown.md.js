import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"webhook_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/webhook_unknown.md","filePath":"packages/control-plane/errors/webhook_unknown.md"}');
const _sfc_main = { name: "errors/webhook_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="webhook_unknown-api-404" tabindex="-1">webhook_unknown (API 404) <a class="header-anchor" href="#webhook_unknown-api-404" aria-label="Permalink to &quot;webhook_unknown (API 404)&quot;">​</a></h1><p>The organisation has no webhook endpoint with this ID.</p><p><strong>Why.</strong> It was deleted, or the ID is wrong.</p><p><strong>What to do.</strong> <code>creditgate webhooks list</code> shows those that exist.</p><p><strong>Related.</strong> <a href="/errors/webhook_disabled.html"><code>webhook_disabled</code></a>. Read more: <a href="/control-plane/webhooks.html">How do I receive webhooks?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/webhook_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const webhook_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  webhook_unknown as default
};
