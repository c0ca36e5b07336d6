import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"not_an_outbox (outbox file)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/not_an_outbox.md","filePath":"packages/control-plane/errors/not_an_outbox.md"}');
const _sfc_main = { name: "errors/not_an_outbox.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="not_an_outbox-outbox-file" tabindex="-1">not_an_outbox (outbox file) <a class="header-anchor" href="#not_an_outbox-outbox-file" aria-label="Permalink to &quot;not_an_outbox (outbox file)&quot;">​</a></h1><p>The file is a SQLite database of something else.</p><p><strong>Why.</strong> The option <code>path</code> names the wrong file.</p><p><strong>What to do.</strong> Correct <code>path</code>. The file was not changed.</p><p><strong>Related.</strong> <a href="/errors/other_version.html"><code>other_version</code></a>, <a href="/errors/corrupt.html"><code>corrupt</code></a>. Read more: <a href="/gate/outbox-sqlite.html">How do I operate an outbox in a file?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/not_an_outbox.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const not_an_outbox = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  not_an_outbox as default
};
