import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"budget_unknown (402, API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/budget_unknown.md","filePath":"packages/control-plane/errors/budget_unknown.md"}');
const _sfc_main = { name: "errors/budget_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="budget_unknown-402-api-404" tabindex="-1">budget_unknown (402, API 404) <a class="header-anchor" href="#budget_unknown-402-api-404" aria-label="Permalink to &quot;budget_unknown (402, API 404)&quot;">​</a></h1><p>The service has no budget with this key.</p><p><strong>Why.</strong> The key is misspelled, or the budget was never created, or it was deleted. A misspelled key never means &quot;no limit&quot;.</p><p><strong>What to do.</strong> Create the budget, or correct the key. A key such as <code>member:*</code> covers every member.</p><p><strong>Related.</strong> <a href="/errors/budget_exceeded.html"><code>budget_exceeded</code></a>, <a href="/errors/budget.html"><code>budget</code></a>. Read more: <a href="/gate/budgets.html">How do I cap a member, a team or a run?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/budget_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const budget_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  budget_unknown as default
};
