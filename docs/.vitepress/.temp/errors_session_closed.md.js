import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"session_closed (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/session_closed.md","filePath":"packages/control-plane/errors/session_closed.md"}');
const _sfc_main = { name: "errors/session_closed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="session_closed-api-409" tabindex="-1">session_closed (API 409) <a class="header-anchor" href="#session_closed-api-409" aria-label="Permalink to &quot;session_closed (API 409)&quot;">​</a></h1><p>The voice session has ended, and accepts no more parts.</p><p><strong>Why.</strong> Its indicator was sent, which closes it and bills the call.</p><p><strong>What to do.</strong> Send all parts before the indicator.</p><p><strong>Related.</strong> <a href="/errors/session_unknown.html"><code>session_unknown</code></a>, <a href="/errors/session_full.html"><code>session_full</code></a>. Read more: <a href="/models/voice-calls.html">How is a voice call billed?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/session_closed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const session_closed = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  session_closed as default
};
