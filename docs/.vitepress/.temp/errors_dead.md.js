import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"dead (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/dead.md","filePath":"packages/control-plane/errors/dead.md"}');
const _sfc_main = { name: "errors/dead.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="dead-log-line" tabindex="-1">dead (log line) <a class="header-anchor" href="#dead-log-line" aria-label="Permalink to &quot;dead (log line)&quot;">​</a></h1><p>The service refused a usage report as it is. That usage is not billed until you resolve it.</p><p><strong>Why.</strong> Usually the agent or the indicator is misspelled, or the customer does not exist. The line names the customer, the indicator and the service&#39;s reason.</p><p><strong>What to do.</strong> Create what is missing, or correct your code. Then retry or drop the report: <code>creditgate outbox</code> for a file, <code>creditgate redis</code> or <code>creditgate postgres</code> for a store. Until then it counts against its wallet.</p><p><strong>Related.</strong> <a href="/errors/unbillable.html"><code>unbillable</code></a>, <a href="/errors/indicator_unknown.html"><code>indicator_unknown</code></a>, <a href="/errors/parked.html"><code>parked</code></a>. Read more: <a href="/gate/operate.html">How do I operate a gate?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/dead.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const dead = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  dead as default
};
