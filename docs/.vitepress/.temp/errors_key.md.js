import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"key (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/key.md","filePath":"packages/control-plane/errors/key.md"}');
const _sfc_main = { name: "errors/key.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="key-log-line" tabindex="-1">key (log line) <a class="header-anchor" href="#key-log-line" aria-label="Permalink to &quot;key (log line)&quot;">​</a></h1><p>The service rejects the API key. Requests get 503 once their cached balance is too old.</p><p><strong>Why.</strong> The key is missing, revoked or of another service, or it lacks a scope.</p><p><strong>What to do.</strong> Check <code>CREDITGATE_API_KEY</code>, or the option <code>apiKey</code> of <code>createClient()</code>. <code>creditgate doctor</code> tries it.</p><p><strong>Related.</strong> <a href="/errors/unauthorized.html"><code>unauthorized</code></a>, <a href="/errors/scope_missing.html"><code>scope_missing</code></a>, <a href="/errors/upstream_unavailable.html"><code>upstream_unavailable</code></a>. Read more: <a href="/gate/operate.html">How do I operate a gate?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/key.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const key = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  key as default
};
