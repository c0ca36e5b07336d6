import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"closing (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/closing.md","filePath":"packages/control-plane/errors/closing.md"}');
const _sfc_main = { name: "errors/closing.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="closing-503" tabindex="-1">closing (503) <a class="header-anchor" href="#closing-503" aria-label="Permalink to &quot;closing (503)&quot;">​</a></h1><p>The process is shutting down: <code>gate.close()</code> has been called.</p><p><strong>Why.</strong> Your load balancer still sends requests to a process that has begun to stop.</p><p><strong>What to do.</strong> Retry: another process serves the request. Let the readiness check fail before the gate closes, as <code>shutDownOnSignal()</code> does.</p><p><strong>Related.</strong> <a href="/errors/undelivered.html"><code>undelivered</code></a>, <a href="/errors/over_capacity.html"><code>over_capacity</code></a>. Read more: <a href="/gate/operate.html">How do I operate a gate?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/closing.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const closing = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  closing as default
};
