import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"usage (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/usage.md","filePath":"packages/control-plane/errors/usage.md"}');
const _sfc_main = { name: "errors/usage.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="usage-log-line" tabindex="-1">usage (log line) <a class="header-anchor" href="#usage-log-line" aria-label="Permalink to &quot;usage (log line)&quot;">​</a></h1><p>A report was malformed. It is billed as far as it was understood.</p><p><strong>Why.</strong> A field is unknown, negative or not a number. The line names it.</p><p><strong>What to do.</strong> Correct the call of <code>report()</code>.</p><p><strong>Related.</strong> <a href="/errors/counts.html"><code>counts</code></a>, <a href="/errors/late.html"><code>late</code></a>. Read more: <a href="/gate/report.html">How do I report usage?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/usage.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const usage = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  usage as default
};
