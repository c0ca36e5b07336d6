import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"session_exists (API 409)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/session_exists.md","filePath":"packages/control-plane/errors/session_exists.md"}');
const _sfc_main = { name: "errors/session_exists.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="session_exists-api-409" tabindex="-1">session_exists (API 409) <a class="header-anchor" href="#session_exists-api-409" aria-label="Permalink to &quot;session_exists (API 409)&quot;">​</a></h1><p>The voice session exists already.</p><p><strong>Why.</strong> Its ID was used before, without the same idempotency key.</p><p><strong>What to do.</strong> Use a new ID for each call. Repeat a lost request with its own key.</p><p><strong>Related.</strong> <a href="/errors/session_closed.html"><code>session_closed</code></a>. Read more: <a href="/models/voice-calls.html">How is a voice call billed?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/session_exists.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const session_exists = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  session_exists as default
};
