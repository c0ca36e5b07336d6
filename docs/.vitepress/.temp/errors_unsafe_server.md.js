import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"unsafe_server (Redis store)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/unsafe_server.md","filePath":"packages/control-plane/errors/unsafe_server.md"}');
const _sfc_main = { name: "errors/unsafe_server.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="unsafe_server-redis-store" tabindex="-1">unsafe_server (Redis store) <a class="header-anchor" href="#unsafe_server-redis-store" aria-label="Permalink to &quot;unsafe_server (Redis store)&quot;">​</a></h1><p>This Redis server may lose data that the ledger must keep, or accepts no writes.</p><p><strong>Why.</strong> It evicts keys, or it is a replica. The message names the setting.</p><p><strong>What to do.</strong> Change the setting that the message names, such as <code>maxmemory-policy noeviction</code>.</p><p><strong>Related.</strong> <a href="/errors/ledger_unavailable.html"><code>ledger_unavailable</code></a>, <a href="/errors/unreachable.html"><code>unreachable</code></a>. Read more: <a href="/fleet/redis.html">What does Redis need?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/unsafe_server.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unsafe_server = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unsafe_server as default
};
