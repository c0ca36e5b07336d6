import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"customer_unknown (402, API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/customer_unknown.md","filePath":"packages/control-plane/errors/customer_unknown.md"}');
const _sfc_main = { name: "errors/customer_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="customer_unknown-402-api-404" tabindex="-1">customer_unknown (402, API 404) <a class="header-anchor" href="#customer_unknown-402-api-404" aria-label="Permalink to &quot;customer_unknown (402, API 404)&quot;">​</a></h1><p>The service does not know this customer.</p><p><strong>Why.</strong> The customer was not created at sign-up, or your application uses another ID for it than the service.</p><p><strong>What to do.</strong> Create it at sign-up with <code>client.customers.createOrGet({ externalId, name })</code>. <code>creditgate customers list</code> shows the IDs that exist.</p><p><strong>Related.</strong> <a href="/errors/wallet_missing.html"><code>wallet_missing</code></a>, <a href="/errors/customer_unresolved.html"><code>customer_unresolved</code></a>, <a href="/errors/customer_erased.html"><code>customer_erased</code></a>. Read more: <a href="/start.html">How do I start?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/customer_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const customer_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  customer_unknown as default
};
