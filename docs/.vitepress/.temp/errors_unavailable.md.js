import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"unavailable (outbox file)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/unavailable.md","filePath":"packages/control-plane/errors/unavailable.md"}');
const _sfc_main = { name: "errors/unavailable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="unavailable-outbox-file" tabindex="-1">unavailable (outbox file) <a class="header-anchor" href="#unavailable-outbox-file" aria-label="Permalink to &quot;unavailable (outbox file)&quot;">​</a></h1><p>The file cannot be opened, read or written, or its outbox has been closed.</p><p><strong>Why.</strong> The folder does not exist, the user has no right to write, or the volume is gone.</p><p><strong>What to do.</strong> Create the folder and give the process the right to write in it.</p><p><strong>Related.</strong> <a href="/errors/outbox_unavailable.html"><code>outbox_unavailable</code></a>, <a href="/errors/disk_full.html"><code>disk_full</code></a>. Read more: <a href="/gate/outbox-sqlite.html">How do I operate an outbox in a file?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/unavailable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unavailable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unavailable as default
};
