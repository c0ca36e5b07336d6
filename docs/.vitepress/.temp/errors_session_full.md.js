import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"session_full (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/session_full.md","filePath":"packages/control-plane/errors/session_full.md"}');
const _sfc_main = { name: "errors/session_full.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="session_full-api-422" tabindex="-1">session_full (API 422) <a class="header-anchor" href="#session_full-api-422" aria-label="Permalink to &quot;session_full (API 422)&quot;">​</a></h1><p>The voice session has as many parts as it can have.</p><p><strong>Why.</strong> Each request for speech, model or text adds one.</p><p><strong>What to do.</strong> End the call with its indicator, and open a new session.</p><p><strong>Related.</strong> <a href="/errors/session_closed.html"><code>session_closed</code></a>. Read more: <a href="/models/voice-calls.html">How is a voice call billed?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/session_full.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const session_full = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  session_full as default
};
