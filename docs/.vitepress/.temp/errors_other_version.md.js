import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"other_version (outbox file)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/other_version.md","filePath":"packages/control-plane/errors/other_version.md"}');
const _sfc_main = { name: "errors/other_version.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="other_version-outbox-file" tabindex="-1">other_version (outbox file) <a class="header-anchor" href="#other_version-outbox-file" aria-label="Permalink to &quot;other_version (outbox file)&quot;">​</a></h1><p>Another version of Creditgate wrote the file, and this one cannot read it.</p><p><strong>Why.</strong> The application was updated or rolled back while reports waited in the file.</p><p><strong>What to do.</strong> Let the version that wrote the file deliver it, then start this one.</p><p><strong>Related.</strong> <a href="/errors/not_an_outbox.html"><code>not_an_outbox</code></a>, <a href="/errors/recovery.html"><code>recovery</code></a>. Read more: <a href="/versions.html">Which versions work together?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/other_version.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const other_version = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  other_version as default
};
