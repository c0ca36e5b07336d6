import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"operator_needed (log line of the control plane)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/operator_needed.md","filePath":"packages/control-plane/errors/operator_needed.md"}');
const _sfc_main = { name: "errors/operator_needed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="operator_needed-log-line-of-the-control-plane" tabindex="-1">operator_needed (log line of the control plane) <a class="header-anchor" href="#operator_needed-log-line-of-the-control-plane" aria-label="Permalink to &quot;operator_needed (log line of the control plane)&quot;">​</a></h1><p>Some usage, period or call cannot be processed without you. Everything else goes on.</p><p><strong>Why.</strong> The line names the organisation and the reason, such as usage without a wallet.</p><p><strong>What to do.</strong> Do what the line names. It is tried again by itself.</p><p><strong>Related.</strong> <a href="/errors/wallet_unknown.html"><code>wallet_unknown</code></a>, <a href="/errors/issuer_missing.html"><code>issuer_missing</code></a>. Read more: <a href="/control-plane/operations.html">Running the control plane</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/operator_needed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const operator_needed = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  operator_needed as default
};
