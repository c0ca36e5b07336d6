import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"delivery (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/delivery.md","filePath":"packages/control-plane/errors/delivery.md"}');
const _sfc_main = { name: "errors/delivery.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="delivery-log-line" tabindex="-1">delivery (log line) <a class="header-anchor" href="#delivery-log-line" aria-label="Permalink to &quot;delivery (log line)&quot;">​</a></h1><p>Usage cannot be delivered. It waits in the outbox, and counts against its wallet.</p><p><strong>Why.</strong> The service is unreachable, overloaded or rejects the key.</p><p><strong>What to do.</strong> Repair what the line names. Nothing is lost while the process lives; with a durable outbox nothing is lost at all.</p><p><strong>Related.</strong> <a href="/errors/outbox_full.html"><code>outbox_full</code></a>, <a href="/errors/key.html"><code>key</code></a>, <a href="/errors/undelivered.html"><code>undelivered</code></a>. Read more: <a href="/concepts/outages.html">What happens when billing is down?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/delivery.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const delivery = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  delivery as default
};
