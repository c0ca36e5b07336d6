import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"customer_unresolved (401)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/customer_unresolved.md","filePath":"packages/control-plane/errors/customer_unresolved.md"}');
const _sfc_main = { name: "errors/customer_unresolved.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="customer_unresolved-401" tabindex="-1">customer_unresolved (401) <a class="header-anchor" href="#customer_unresolved-401" aria-label="Permalink to &quot;customer_unresolved (401)&quot;">​</a></h1><p>The request has no customer ID, so nobody can pay for it.</p><p><strong>Why.</strong> The <code>customer</code> function returned nothing, or a string that cannot be an ID: it is empty, too long or has control characters.</p><p><strong>What to do.</strong> Return the ID of the signed-in customer, from verified authentication. Put the gate after the middleware that signs people in. A value of another type is a mistake in the program, and throws <code>invalid_option</code>.</p><p><strong>Related.</strong> <a href="/errors/customer_unknown.html"><code>customer_unknown</code></a>, <a href="/errors/unauthorized.html"><code>unauthorized</code></a>, <a href="/errors/invalid_option.html"><code>invalid_option</code></a>. Read more: <a href="/gate/denials.html">Why was this request denied?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/customer_unresolved.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const customer_unresolved = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  customer_unresolved as default
};
