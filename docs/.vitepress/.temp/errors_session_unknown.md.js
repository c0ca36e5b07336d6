import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"session_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/session_unknown.md","filePath":"packages/control-plane/errors/session_unknown.md"}');
const _sfc_main = { name: "errors/session_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="session_unknown-api-404" tabindex="-1">session_unknown (API 404) <a class="header-anchor" href="#session_unknown-api-404" aria-label="Permalink to &quot;session_unknown (API 404)&quot;">​</a></h1><p>There is no voice session with this ID.</p><p><strong>Why.</strong> Parts of a call arrived before its session, or the ID is wrong.</p><p><strong>What to do.</strong> Open the session first: <code>POST /api/v1/voice/session</code>.</p><p><strong>Related.</strong> <a href="/errors/session_closed.html"><code>session_closed</code></a>, <a href="/errors/session_exists.html"><code>session_exists</code></a>. Read more: <a href="/models/voice-calls.html">How is a voice call billed?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/session_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const session_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  session_unknown as default
};
