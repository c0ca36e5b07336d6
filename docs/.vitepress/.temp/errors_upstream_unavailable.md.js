import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"upstream_unavailable (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/upstream_unavailable.md","filePath":"packages/control-plane/errors/upstream_unavailable.md"}');
const _sfc_main = { name: "errors/upstream_unavailable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="upstream_unavailable-503" tabindex="-1">upstream_unavailable (503) <a class="header-anchor" href="#upstream_unavailable-503" aria-label="Permalink to &quot;upstream_unavailable (503)&quot;">​</a></h1><p>The gate could not read the customer&#39;s balance in time, so it cannot decide. The request was not served, and nothing is billed.</p><p><strong>Why.</strong> The billing service is down or slow, or a proxy answered in its place. Or <code>wallet()</code> threw, or the outbox of an earlier process has not been read yet. A balance younger than <code>maxStaleMs</code> still admits requests, so this begins only once the cached balance is too old or too low.</p><p><strong>What to do.</strong> Retry after <code>retryAfter</code> seconds. Look at the log line <code>balance</code> for the cause, and run <code>creditgate doctor</code>. To bridge longer outages, raise <code>maxStaleMs</code>.</p><p><strong>Related.</strong> <a href="/errors/upstream_invalid.html"><code>upstream_invalid</code></a>, <a href="/errors/balance.html"><code>balance</code></a>, <a href="/errors/insufficient_credits.html"><code>insufficient_credits</code></a>. Read more: <a href="/concepts/outages.html">What happens when billing is down?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/upstream_unavailable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const upstream_unavailable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  upstream_unavailable as default
};
