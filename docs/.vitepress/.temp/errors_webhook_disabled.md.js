import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"webhook_disabled (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/webhook_disabled.md","filePath":"packages/control-plane/errors/webhook_disabled.md"}');
const _sfc_main = { name: "errors/webhook_disabled.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="webhook_disabled-api-409" tabindex="-1">webhook_disabled (API 409) <a class="header-anchor" href="#webhook_disabled-api-409" aria-label="Permalink to &quot;webhook_disabled (API 409)&quot;">​</a></h1><p>The webhook endpoint is disabled.</p><p><strong>Why.</strong> Somebody disabled it, or it failed for too long.</p><p><strong>What to do.</strong> Repair the receiver, enable the endpoint, and replay what it has missed.</p><p><strong>Related.</strong> <a href="/errors/webhook_unknown.html"><code>webhook_unknown</code></a>, <a href="/errors/url_refused.html"><code>url_refused</code></a>. Read more: <a href="/control-plane/webhooks.html">How do I receive webhooks?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/webhook_disabled.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const webhook_disabled = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  webhook_disabled as default
};
