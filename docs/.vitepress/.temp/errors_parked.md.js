import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"parked (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/parked.md","filePath":"packages/control-plane/errors/parked.md"}');
const _sfc_main = { name: "errors/parked.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="parked-log-line" tabindex="-1">parked (log line) <a class="header-anchor" href="#parked-log-line" aria-label="Permalink to &quot;parked (log line)&quot;">​</a></h1><p>A usage report waits for review, because the service may have billed it already.</p><p><strong>Why.</strong> The connection broke after the report was sent, and the service is not known to honour idempotency keys.</p><p><strong>What to do.</strong> Let the service echo <code>Idempotency-Key</code>: then the gate sends the report again by itself. Otherwise look at the service, and retry or drop the report. <code>ambiguous: &quot;retry&quot;</code> sends such reports again and accepts that some are billed twice.</p><p><strong>Related.</strong> <a href="/errors/dead.html"><code>dead</code></a>, <a href="/errors/connection_lost.html"><code>connection_lost</code></a>, <a href="/errors/undelivered.html"><code>undelivered</code></a>. Read more: <a href="/gate/operate.html">How do I operate a gate?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/parked.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const parked = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  parked as default
};
