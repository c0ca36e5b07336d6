import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"session_unopened (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/session_unopened.md","filePath":"packages/control-plane/errors/session_unopened.md"}');
const _sfc_main = { name: "errors/session_unopened.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="session_unopened-503" tabindex="-1">session_unopened (503) <a class="header-anchor" href="#session_unopened-503" aria-label="Permalink to &quot;session_unopened (503)&quot;">​</a></h1><p>A voice call was not admitted, because the service did not accept its session in time. Nothing is billed.</p><p><strong>Why.</strong> The service is slow or unreachable. Without a session it would not bill the parts of the call.</p><p><strong>What to do.</strong> Retry after <code>retryAfter</code> seconds. With <code>unopened: &quot;start&quot;</code> calls begin anyway, and are reported later.</p><p><strong>Related.</strong> <a href="/errors/upstream_unavailable.html"><code>upstream_unavailable</code></a>, <a href="/errors/session_unknown.html"><code>session_unknown</code></a>. Read more: <a href="/models/voice-calls.html">How is a voice call billed?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/session_unopened.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const session_unopened = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  session_unopened as default
};
