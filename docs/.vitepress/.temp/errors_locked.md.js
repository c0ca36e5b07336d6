import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"locked (outbox file)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/locked.md","filePath":"packages/control-plane/errors/locked.md"}');
const _sfc_main = { name: "errors/locked.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="locked-outbox-file" tabindex="-1">locked (outbox file) <a class="header-anchor" href="#locked-outbox-file" aria-label="Permalink to &quot;locked (outbox file)&quot;">​</a></h1><p>Another process, or another outbox of this one, owns the file.</p><p><strong>Why.</strong> Two processes use one path, or an old process has not exited.</p><p><strong>What to do.</strong> Give each process its own file, or end the old process.</p><p><strong>Related.</strong> <a href="/errors/unavailable.html"><code>unavailable</code></a>, <a href="/errors/outbox.html"><code>outbox</code></a>. Read more: <a href="/gate/outbox-sqlite.html">How do I operate an outbox in a file?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/locked.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const locked = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  locked as default
};
