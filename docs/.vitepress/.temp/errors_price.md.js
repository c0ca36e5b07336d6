import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"price (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/price.md","filePath":"packages/control-plane/errors/price.md"}');
const _sfc_main = { name: "errors/price.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="price-log-line" tabindex="-1">price (log line) <a class="header-anchor" href="#price-log-line" aria-label="Permalink to &quot;price (log line)&quot;">​</a></h1><p>Your function <code>price()</code> failed. The hold counts in place of the price.</p><p><strong>Why.</strong> It threw, or returned something that is no amount of credits.</p><p><strong>What to do.</strong> Repair the function. It must return at least what the service debits.</p><p><strong>Related.</strong> <a href="/errors/usage.html"><code>usage</code></a>, <a href="/errors/debit.html"><code>debit</code></a>. Read more: <a href="/gate/hold.html">How much do I hold?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/price.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const price = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  price as default
};
