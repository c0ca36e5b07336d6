import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"aborted (client error)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/aborted.md","filePath":"packages/control-plane/errors/aborted.md"}');
const _sfc_main = { name: "errors/aborted.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="aborted-client-error" tabindex="-1">aborted (client error) <a class="header-anchor" href="#aborted-client-error" aria-label="Permalink to &quot;aborted (client error)&quot;">​</a></h1><p>Your own signal ended the call. The service may have processed it.</p><p><strong>Why.</strong> The <code>signal</code> that you passed fired before the answer arrived.</p><p><strong>What to do.</strong> For a read, nothing. For a change, repeat it with the same idempotency key, or look whether it happened.</p><p><strong>Related.</strong> <a href="/errors/timeout.html"><code>timeout</code></a>, <a href="/errors/connection_lost.html"><code>connection_lost</code></a>. Read more: <a href="/gate/client.html">How do I call the billing service?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/aborted.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const aborted = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  aborted as default
};
