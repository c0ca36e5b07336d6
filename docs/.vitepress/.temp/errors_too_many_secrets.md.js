import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"too_many_secrets (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/too_many_secrets.md","filePath":"packages/control-plane/errors/too_many_secrets.md"}');
const _sfc_main = { name: "errors/too_many_secrets.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="too_many_secrets-api-409" tabindex="-1">too_many_secrets (API 409) <a class="header-anchor" href="#too_many_secrets-api-409" aria-label="Permalink to &quot;too_many_secrets (API 409)&quot;">​</a></h1><p>The webhook endpoint has as many valid secrets as it can have.</p><p><strong>Why.</strong> It was rotated again while earlier secrets still overlap.</p><p><strong>What to do.</strong> Wait until one has ended, or rotate with <code>overlapSeconds: 0</code>.</p><p><strong>Related.</strong> <a href="/errors/webhook_unknown.html"><code>webhook_unknown</code></a>. Read more: <a href="/control-plane/webhooks.html">How do I receive webhooks?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/too_many_secrets.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const too_many_secrets = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  too_many_secrets as default
};
