import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"disk_full (outbox file)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/disk_full.md","filePath":"packages/control-plane/errors/disk_full.md"}');
const _sfc_main = { name: "errors/disk_full.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="disk_full-outbox-file" tabindex="-1">disk_full (outbox file) <a class="header-anchor" href="#disk_full-outbox-file" aria-label="Permalink to &quot;disk_full (outbox file)&quot;">​</a></h1><p>The disk is full. What is in the file stays; the new report is not in it.</p><p><strong>Why.</strong> The volume of the file has no room.</p><p><strong>What to do.</strong> Make room. The gate continues by itself, and admits nothing until then.</p><p><strong>Related.</strong> <a href="/errors/outbox_unavailable.html"><code>outbox_unavailable</code></a>, <a href="/errors/unavailable.html"><code>unavailable</code></a>. Read more: <a href="/gate/outbox-sqlite.html">How do I operate an outbox in a file?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/disk_full.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const disk_full = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  disk_full as default
};
