import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"corrupt (outbox file)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/corrupt.md","filePath":"packages/control-plane/errors/corrupt.md"}');
const _sfc_main = { name: "errors/corrupt.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="corrupt-outbox-file" tabindex="-1">corrupt (outbox file) <a class="header-anchor" href="#corrupt-outbox-file" aria-label="Permalink to &quot;corrupt (outbox file)&quot;">​</a></h1><p>The file, or a row of it, is damaged.</p><p><strong>Why.</strong> The disk failed, the file was copied while it was open, or it is no SQLite file.</p><p><strong>What to do.</strong> Keep a copy. Repair it with <code>sqlite3 FILE .recover</code>, or move it away and start with an empty one.</p><p><strong>Related.</strong> <a href="/errors/not_an_outbox.html"><code>not_an_outbox</code></a>, <a href="/errors/recovery.html"><code>recovery</code></a>. Read more: <a href="/gate/outbox-sqlite.html">How do I operate an outbox in a file?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/corrupt.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const corrupt = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  corrupt as default
};
