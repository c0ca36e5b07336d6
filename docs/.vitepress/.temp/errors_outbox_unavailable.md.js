import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"outbox_unavailable (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/outbox_unavailable.md","filePath":"packages/control-plane/errors/outbox_unavailable.md"}');
const _sfc_main = { name: "errors/outbox_unavailable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="outbox_unavailable-503" tabindex="-1">outbox_unavailable (503) <a class="header-anchor" href="#outbox_unavailable-503" aria-label="Permalink to &quot;outbox_unavailable (503)&quot;">​</a></h1><p>The outbox cannot be written, so usage could be lost. The gate admits nothing.</p><p><strong>Why.</strong> The disk is full or read-only, or the store of the outbox is unreachable.</p><p><strong>What to do.</strong> Look at the log line <code>outbox</code> for the error. Make room, or repair the store. The gate recovers on its own.</p><p><strong>Related.</strong> <a href="/errors/outbox.html"><code>outbox</code></a>, <a href="/errors/disk_full.html"><code>disk_full</code></a>, <a href="/errors/outbox_full.html"><code>outbox_full</code></a>, <a href="/errors/unavailable.html"><code>unavailable</code></a>. Read more: <a href="/gate/crashes.html">What survives a crash?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/outbox_unavailable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const outbox_unavailable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  outbox_unavailable as default
};
