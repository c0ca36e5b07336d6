import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"late (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/late.md","filePath":"packages/control-plane/errors/late.md"}');
const _sfc_main = { name: "errors/late.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="late-log-line" tabindex="-1">late (log line) <a class="header-anchor" href="#late-log-line" aria-label="Permalink to &quot;late (log line)&quot;">​</a></h1><p>Usage was reported after its work had ended. It is billed, but its hold had been returned by then, so the wallet can be overspent.</p><p><strong>Why.</strong> The handler returned before all of its work was done: a promise is neither awaited nor returned.</p><p><strong>What to do.</strong> Return or await the promise of all the work in its handler.</p><p><strong>Related.</strong> <a href="/errors/duplicate.html"><code>duplicate</code></a>, <a href="/errors/insufficient_credits.html"><code>insufficient_credits</code></a>. Read more: <a href="/gate/report.html">How do I report usage?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/late.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const late = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  late as default
};
