import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"not_sent (client error)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/not_sent.md","filePath":"packages/control-plane/errors/not_sent.md"}');
const _sfc_main = { name: "errors/not_sent.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="not_sent-client-error" tabindex="-1">not_sent (client error) <a class="header-anchor" href="#not_sent-client-error" aria-label="Permalink to &quot;not_sent (client error)&quot;">​</a></h1><p>The request never reached the service. It is safe to repeat.</p><p><strong>Why.</strong> The host name has no address, nothing listens on the port, or the TLS certificate is not trusted.</p><p><strong>What to do.</strong> Check <code>CREDITGATE_BASE_URL</code> and whether the service runs. <code>creditgate doctor</code> tries address, certificate and key.</p><p><strong>Related.</strong> <a href="/errors/connection_lost.html"><code>connection_lost</code></a>, <a href="/errors/timeout.html"><code>timeout</code></a>, <a href="/errors/upstream_unavailable.html"><code>upstream_unavailable</code></a>. Read more: <a href="/gate/client.html">How do I call the billing service?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/not_sent.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const not_sent = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  not_sent as default
};
