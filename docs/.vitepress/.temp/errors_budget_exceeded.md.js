import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"budget_exceeded (402)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/budget_exceeded.md","filePath":"packages/control-plane/errors/budget_exceeded.md"}');
const _sfc_main = { name: "errors/budget_exceeded.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="budget_exceeded-402" tabindex="-1">budget_exceeded (402) <a class="header-anchor" href="#budget_exceeded-402" aria-label="Permalink to &quot;budget_exceeded (402)&quot;">​</a></h1><p>A budget that the request names has no room for its hold. The wallet may have enough.</p><p><strong>Why.</strong> <code>budget</code> in the denial has <code>key</code>, <code>limit</code>, <code>left</code> and <code>resetsAt</code>. Holds in flight count against the budget.</p><p><strong>What to do.</strong> Show <code>resetsAt</code>, or raise the limit of the budget. A payment does not help. If <code>retryable</code> is true, work in flight may give back enough.</p><p><strong>Related.</strong> <a href="/errors/insufficient_credits.html"><code>insufficient_credits</code></a>, <a href="/errors/budget_unknown.html"><code>budget_unknown</code></a>. Read more: <a href="/concepts/budgets.html">What is a budget?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/budget_exceeded.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const budget_exceeded = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  budget_exceeded as default
};
