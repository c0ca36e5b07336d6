import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"connection_lost (client error)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/connection_lost.md","filePath":"packages/control-plane/errors/connection_lost.md"}');
const _sfc_main = { name: "errors/connection_lost.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="connection_lost-client-error" tabindex="-1">connection_lost (client error) <a class="header-anchor" href="#connection_lost-client-error" aria-label="Permalink to &quot;connection_lost (client error)&quot;">​</a></h1><p>The connection ended before the whole answer had arrived. The request may have been processed.</p><p><strong>Why.</strong> The service or a proxy restarted, or closed an idle connection.</p><p><strong>What to do.</strong> Reads are repeated for you. Repeat a change only with an idempotency key.</p><p><strong>Related.</strong> <a href="/errors/timeout.html"><code>timeout</code></a>, <a href="/errors/not_sent.html"><code>not_sent</code></a>. Read more: <a href="/gate/client.html">How do I call the billing service?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/connection_lost.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const connection_lost = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  connection_lost as default
};
