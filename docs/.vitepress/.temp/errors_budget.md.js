import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"budget (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/budget.md","filePath":"packages/control-plane/errors/budget.md"}');
const _sfc_main = { name: "errors/budget.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="budget-log-line" tabindex="-1">budget (log line) <a class="header-anchor" href="#budget-log-line" aria-label="Permalink to &quot;budget (log line)&quot;">​</a></h1><p>A budget cannot be read, or was not stored with a report. Requests that name one get 503, or count in it only until this process ends.</p><p><strong>Why.</strong> The service keeps no budgets, or is an older version.</p><p><strong>What to do.</strong> Use a service that keeps budgets. Update the control plane, or return <code>budgets</code> from your own functions. Run budgets need nothing from the service.</p><p><strong>Related.</strong> <a href="/errors/budget_unknown.html"><code>budget_unknown</code></a>, <a href="/errors/budget_exceeded.html"><code>budget_exceeded</code></a>. Read more: <a href="/gate/budgets.html">How do I cap a member, a team or a run?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/budget.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const budget = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  budget as default
};
