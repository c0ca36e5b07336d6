import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"duplicate (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/duplicate.md","filePath":"packages/control-plane/errors/duplicate.md"}');
const _sfc_main = { name: "errors/duplicate.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="duplicate-log-line" tabindex="-1">duplicate (log line) <a class="header-anchor" href="#duplicate-log-line" aria-label="Permalink to &quot;duplicate (log line)&quot;">​</a></h1><p>The gate found one piece of work twice. The line states whether it was billed once or for each.</p><p><strong>Why.</strong> Two gates are on one request, two wrappers meter one model call, or <code>credits.report()</code> repeats what is metered already.</p><p><strong>What to do.</strong> Remove one of them, as the line names it. If you want two bills, give each its own indicator.</p><p><strong>Related.</strong> <a href="/errors/late.html"><code>late</code></a>, <a href="/errors/usage.html"><code>usage</code></a>. Read more: <a href="/gate/billed-once.html">What is billed once?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/duplicate.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const duplicate = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  duplicate as default
};
