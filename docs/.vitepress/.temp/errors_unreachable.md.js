import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"unreachable (Redis store)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/unreachable.md","filePath":"packages/control-plane/errors/unreachable.md"}');
const _sfc_main = { name: "errors/unreachable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="unreachable-redis-store" tabindex="-1">unreachable (Redis store) <a class="header-anchor" href="#unreachable-redis-store" aria-label="Permalink to &quot;unreachable (Redis store)&quot;">​</a></h1><p>The Redis client gave up a command that it could not send. <code>cause</code> is the reason.</p><p><strong>Why.</strong> The server is down, or the client&#39;s retries are exhausted.</p><p><strong>What to do.</strong> Check the address and the server. The ledger recovers by itself.</p><p><strong>Related.</strong> <a href="/errors/timeout.html"><code>timeout</code></a>, <a href="/errors/ledger_unavailable.html"><code>ledger_unavailable</code></a>. Read more: <a href="/fleet/redis.html">What does Redis need?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/unreachable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unreachable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unreachable as default
};
