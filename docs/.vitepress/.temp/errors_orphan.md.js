import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"orphan (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/orphan.md","filePath":"packages/control-plane/errors/orphan.md"}');
const _sfc_main = { name: "errors/orphan.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="orphan-log-line" tabindex="-1">orphan (log line) <a class="header-anchor" href="#orphan-log-line" aria-label="Permalink to &quot;orphan (log line)&quot;">​</a></h1><p>An earlier process crashed during a piece of work, and that work waits for your decision.</p><p><strong>Why.</strong> <code>durableHolds</code> is on, and <code>onOrphan</code> is <code>&quot;review&quot;</code>. How much the work had used is unknown.</p><p><strong>What to do.</strong> Decide with <code>creditgate outbox list</code>. With <code>onOrphan: &quot;default&quot;</code> and <code>defaultUsage</code> the gate bills such work itself.</p><p><strong>Related.</strong> <a href="/errors/parked.html"><code>parked</code></a>, <a href="/errors/recovery.html"><code>recovery</code></a>. Read more: <a href="/gate/crashes.html">What survives a crash?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/orphan.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const orphan = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  orphan as default
};
