import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"indicator_needed (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/indicator_needed.md","filePath":"packages/control-plane/errors/indicator_needed.md"}');
const _sfc_main = { name: "errors/indicator_needed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="indicator_needed-api-422" tabindex="-1">indicator_needed (API 422) <a class="header-anchor" href="#indicator_needed-api-422" aria-label="Permalink to &quot;indicator_needed (API 422)&quot;">​</a></h1><p>The call cannot be closed without an indicator.</p><p><strong>Why.</strong> The agent has none or several indicators in CREDITS, so the service cannot choose.</p><p><strong>What to do.</strong> Name one.</p><p><strong>Related.</strong> <a href="/errors/indicator_unknown.html"><code>indicator_unknown</code></a>, <a href="/errors/session_closed.html"><code>session_closed</code></a>. Read more: <a href="/models/voice-calls.html">How is a voice call billed?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/indicator_needed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const indicator_needed = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  indicator_needed as default
};
