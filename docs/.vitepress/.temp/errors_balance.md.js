import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"balance (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/balance.md","filePath":"packages/control-plane/errors/balance.md"}');
const _sfc_main = { name: "errors/balance.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="balance-log-line" tabindex="-1">balance (log line) <a class="header-anchor" href="#balance-log-line" aria-label="Permalink to &quot;balance (log line)&quot;">​</a></h1><p>A balance cannot be read. Without a recent one, requests get 503.</p><p><strong>Why.</strong> The line has the service&#39;s error: it is down, it rejects the request, or its answer is no balance.</p><p><strong>What to do.</strong> Repair what the line names, and run <code>creditgate doctor</code>.</p><p><strong>Related.</strong> <a href="/errors/upstream_unavailable.html"><code>upstream_unavailable</code></a>, <a href="/errors/upstream_invalid.html"><code>upstream_invalid</code></a>, <a href="/errors/key.html"><code>key</code></a>. Read more: <a href="/concepts/outages.html">What happens when billing is down?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/balance.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const balance = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  balance as default
};
