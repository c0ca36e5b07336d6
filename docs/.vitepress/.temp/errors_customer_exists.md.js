import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"customer_exists (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/customer_exists.md","filePath":"packages/control-plane/errors/customer_exists.md"}');
const _sfc_main = { name: "errors/customer_exists.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="customer_exists-api-409" tabindex="-1">customer_exists (API 409) <a class="header-anchor" href="#customer_exists-api-409" aria-label="Permalink to &quot;customer_exists (API 409)&quot;">​</a></h1><p>The organisation has a customer with this ID already.</p><p><strong>Why.</strong> IDs of customers are unique in an organisation.</p><p><strong>What to do.</strong> Use <code>createOrGet</code>, which returns the existing one.</p><p><strong>Related.</strong> <a href="/errors/customer_unknown.html"><code>customer_unknown</code></a>. Read more: <a href="/control-plane/admin-api.html">How do I administer it over HTTP?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/customer_exists.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const customer_exists = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  customer_exists as default
};
