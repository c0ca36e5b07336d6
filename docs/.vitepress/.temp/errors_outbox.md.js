import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"outbox (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/outbox.md","filePath":"packages/control-plane/errors/outbox.md"}');
const _sfc_main = { name: "errors/outbox.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="outbox-log-line" tabindex="-1">outbox (log line) <a class="header-anchor" href="#outbox-log-line" aria-label="Permalink to &quot;outbox (log line)&quot;">​</a></h1><p>The outbox failed. What it should have stored is only in memory.</p><p><strong>Why.</strong> The disk is full, the file is locked, or the store is unreachable.</p><p><strong>What to do.</strong> Repair it before the process ends: a crash now loses that usage. New requests get 503 meanwhile.</p><p><strong>Related.</strong> <a href="/errors/outbox_unavailable.html"><code>outbox_unavailable</code></a>, <a href="/errors/disk_full.html"><code>disk_full</code></a>, <a href="/errors/locked.html"><code>locked</code></a>. Read more: <a href="/gate/crashes.html">What survives a crash?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/outbox.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const outbox = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  outbox as default
};
