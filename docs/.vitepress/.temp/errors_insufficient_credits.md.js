import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"insufficient_credits (402)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/insufficient_credits.md","filePath":"packages/control-plane/errors/insufficient_credits.md"}');
const _sfc_main = { name: "errors/insufficient_credits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="insufficient_credits-402" tabindex="-1">insufficient_credits (402) <a class="header-anchor" href="#insufficient_credits-402" aria-label="Permalink to &quot;insufficient_credits (402)&quot;">​</a></h1><p>The customer&#39;s wallet cannot cover the request&#39;s hold.</p><p><strong>Why.</strong> <code>required</code> is what one request holds. <code>available</code> is the wallet&#39;s balance minus holds in flight and usage that is not settled yet. The gate read a fresh balance before it denied. Thrown as an error by a metered model, it means that the hold of the work cannot pay for the next model call.</p><p><strong>What to do.</strong> Show the customer <code>actionUrl</code>. If the wallet shows enough credits, look at <code>held</code>: long streams keep their hold until they end. If every customer gets this, the hold is too high: see <a href="/gate/hold.html">How much do I hold?</a>.</p><p><strong>Related.</strong> <a href="/errors/budget_exceeded.html"><code>budget_exceeded</code></a>, <a href="/errors/upstream_unavailable.html"><code>upstream_unavailable</code></a>, <a href="/errors/wallet_missing.html"><code>wallet_missing</code></a>. Read more: <a href="/concepts/hold.html">What is a hold?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/insufficient_credits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const insufficient_credits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  insufficient_credits as default
};
