import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"idempotency_key_reused (API 422)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/idempotency_key_reused.md","filePath":"packages/control-plane/errors/idempotency_key_reused.md"}');
const _sfc_main = { name: "errors/idempotency_key_reused.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="idempotency_key_reused-api-422" tabindex="-1">idempotency_key_reused (API 422) <a class="header-anchor" href="#idempotency_key_reused-api-422" aria-label="Permalink to &quot;idempotency_key_reused (API 422)&quot;">​</a></h1><p>The idempotency key came before with another body.</p><p><strong>Why.</strong> A key stands for one request. The first answer stays valid.</p><p><strong>What to do.</strong> Use a new key for a new request, and the same body for a retry.</p><p><strong>Related.</strong> <a href="/errors/session_exists.html"><code>session_exists</code></a>. Read more: <a href="/control-plane/settlement.html">How does settlement work?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/idempotency_key_reused.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const idempotency_key_reused = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  idempotency_key_reused as default
};
