import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"timeout (client error, store)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/timeout.md","filePath":"packages/control-plane/errors/timeout.md"}');
const _sfc_main = { name: "errors/timeout.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="timeout-client-error-store" tabindex="-1">timeout (client error, store) <a class="header-anchor" href="#timeout-client-error-store" aria-label="Permalink to &quot;timeout (client error, store)&quot;">​</a></h1><p>No complete answer arrived in time. The request may have been processed.</p><p><strong>Why.</strong> The service or the store is overloaded, or the network loses packets. From a Redis or PostgreSQL store, <code>cause</code> is the reason why the client has no connection, if it reported one.</p><p><strong>What to do.</strong> Reads are repeated for you. Repeat a change only with an idempotency key. If it happens often, look at the load of the service before you raise <code>timeoutMs</code>.</p><p><strong>Related.</strong> <a href="/errors/not_sent.html"><code>not_sent</code></a>, <a href="/errors/connection_lost.html"><code>connection_lost</code></a>, <a href="/errors/silent.html"><code>silent</code></a>. Read more: <a href="/gate/client.html">How do I call the billing service?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/timeout.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const timeout = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  timeout as default
};
