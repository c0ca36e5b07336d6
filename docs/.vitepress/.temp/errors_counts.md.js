import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"counts (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/counts.md","filePath":"packages/control-plane/errors/counts.md"}');
const _sfc_main = { name: "errors/counts.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="counts-log-line" tabindex="-1">counts (log line) <a class="header-anchor" href="#counts-log-line" aria-label="Permalink to &quot;counts (log line)&quot;">​</a></h1><p>The provider sent no token counts, so the usage is estimated or missing.</p><p><strong>Why.</strong> The provider or a proxy leaves counts out, or a stream was requested without them.</p><p><strong>What to do.</strong> Request counts for streams, or report usage yourself.</p><p><strong>Related.</strong> <a href="/errors/usage.html"><code>usage</code></a>. Read more: <a href="/models/estimates.html">How are tokens estimated?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/counts.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const counts = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  counts as default
};
