import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"recovery (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/recovery.md","filePath":"packages/control-plane/errors/recovery.md"}');
const _sfc_main = { name: "errors/recovery.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="recovery-log-line" tabindex="-1">recovery (log line) <a class="header-anchor" href="#recovery-log-line" aria-label="Permalink to &quot;recovery (log line)&quot;">​</a></h1><p>What an earlier process has left in the outbox cannot be read. Until then requests get 503.</p><p><strong>Why.</strong> The file or the store of the outbox is damaged or unreachable.</p><p><strong>What to do.</strong> Repair it. The gate tries again by itself.</p><p><strong>Related.</strong> <a href="/errors/upstream_unavailable.html"><code>upstream_unavailable</code></a>, <a href="/errors/corrupt.html"><code>corrupt</code></a>, <a href="/errors/outbox.html"><code>outbox</code></a>. Read more: <a href="/gate/crashes.html">What survives a crash?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/recovery.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const recovery = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  recovery as default
};
