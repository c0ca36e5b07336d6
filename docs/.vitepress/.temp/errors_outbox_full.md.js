import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"outbox_full (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/outbox_full.md","filePath":"packages/control-plane/errors/outbox_full.md"}');
const _sfc_main = { name: "errors/outbox_full.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="outbox_full-503" tabindex="-1">outbox_full (503) <a class="header-anchor" href="#outbox_full-503" aria-label="Permalink to &quot;outbox_full (503)&quot;">​</a></h1><p>Too much usage waits for delivery. The gate admits nothing more, because that usage might be lost.</p><p><strong>Why.</strong> The service has been unreachable for long, or it is slower than your traffic, or dead letters fill the outbox.</p><p><strong>What to do.</strong> Look at the log line <code>delivery</code>. Repair the connection to the service, or resolve dead letters with <code>creditgate outbox</code>. A larger <code>maxReports</code> of the outbox bridges a longer outage.</p><p><strong>Related.</strong> <a href="/errors/delivery.html"><code>delivery</code></a>, <a href="/errors/dead.html"><code>dead</code></a>, <a href="/errors/outbox_unavailable.html"><code>outbox_unavailable</code></a>. Read more: <a href="/concepts/outages.html">What happens when billing is down?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/outbox_full.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const outbox_full = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  outbox_full as default
};
