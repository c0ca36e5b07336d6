import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"indicator_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/indicator_unknown.md","filePath":"packages/control-plane/errors/indicator_unknown.md"}');
const _sfc_main = { name: "errors/indicator_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="indicator_unknown-api-404" tabindex="-1">indicator_unknown (API 404) <a class="header-anchor" href="#indicator_unknown-api-404" aria-label="Permalink to &quot;indicator_unknown (API 404)&quot;">​</a></h1><p>The agent has no indicator with this name.</p><p><strong>Why.</strong> It is misspelled or belongs to another agent. Usage reports for it are refused, and become dead letters.</p><p><strong>What to do.</strong> <code>creditgate indicators list AGENT</code> shows those that exist. Create it, or correct <code>indicator</code>.</p><p><strong>Related.</strong> <a href="/errors/agent_unknown.html"><code>agent_unknown</code></a>, <a href="/errors/unbillable.html"><code>unbillable</code></a>, <a href="/errors/dead.html"><code>dead</code></a>. Read more: <a href="/control-plane/prices.html">How do I set a price?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/indicator_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const indicator_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  indicator_unknown as default
};
