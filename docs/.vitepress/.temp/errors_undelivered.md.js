import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"undelivered (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/undelivered.md","filePath":"packages/control-plane/errors/undelivered.md"}');
const _sfc_main = { name: "errors/undelivered.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="undelivered-log-line" tabindex="-1">undelivered (log line) <a class="header-anchor" href="#undelivered-log-line" aria-label="Permalink to &quot;undelivered (log line)&quot;">​</a></h1><p>The gate gives up usage reports. They are lost with this process unless a listener keeps them.</p><p><strong>Why.</strong> The gate was closed before the service accepted them, or a serverless function ended.</p><p><strong>What to do.</strong> Use a durable outbox: a file, Redis or PostgreSQL. Or listen to <code>undelivered</code>, keep the reports, and send each with its ID as <code>Idempotency-Key</code>.</p><p><strong>Related.</strong> <a href="/errors/delivery.html"><code>delivery</code></a>, <a href="/errors/closing.html"><code>closing</code></a>, <a href="/errors/outbox.html"><code>outbox</code></a>. Read more: <a href="/gate/crashes.html">What survives a crash?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/undelivered.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const undelivered = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  undelivered as default
};
