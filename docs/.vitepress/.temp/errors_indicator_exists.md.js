import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"indicator_exists (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/indicator_exists.md","filePath":"packages/control-plane/errors/indicator_exists.md"}');
const _sfc_main = { name: "errors/indicator_exists.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="indicator_exists-api-409" tabindex="-1">indicator_exists (API 409) <a class="header-anchor" href="#indicator_exists-api-409" aria-label="Permalink to &quot;indicator_exists (API 409)&quot;">​</a></h1><p>The agent has an indicator with this name already.</p><p><strong>Why.</strong> Names of indicators are unique in an agent.</p><p><strong>What to do.</strong> Change the price of the existing one instead.</p><p><strong>Related.</strong> <a href="/errors/agent_exists.html"><code>agent_exists</code></a>, <a href="/errors/too_many_prices.html"><code>too_many_prices</code></a>. Read more: <a href="/control-plane/prices.html">How do I set a price?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/indicator_exists.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const indicator_exists = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  indicator_exists as default
};
