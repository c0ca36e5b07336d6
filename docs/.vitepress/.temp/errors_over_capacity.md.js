import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"over_capacity (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/over_capacity.md","filePath":"packages/control-plane/errors/over_capacity.md"}');
const _sfc_main = { name: "errors/over_capacity.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="over_capacity-503" tabindex="-1">over_capacity (503) <a class="header-anchor" href="#over_capacity-503" aria-label="Permalink to &quot;over_capacity (503)&quot;">​</a></h1><p>The process has as many active customers as <code>maxCustomers</code> allows.</p><p><strong>Why.</strong> Every customer in memory has work in flight or usage that is not settled, so none can be dropped. The default is 10,000.</p><p><strong>What to do.</strong> Raise <code>maxCustomers</code>, or run more processes. If there are fewer customers than that, work does not end: look for handlers that never settle.</p><p><strong>Related.</strong> <a href="/errors/closing.html"><code>closing</code></a>, <a href="/errors/outbox_full.html"><code>outbox_full</code></a>. Read more: <a href="/gate/options.html">Which options does a gate have?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/over_capacity.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const over_capacity = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  over_capacity as default
};
