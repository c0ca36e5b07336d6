import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"rate_limited (API 429)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/rate_limited.md","filePath":"packages/control-plane/errors/rate_limited.md"}');
const _sfc_main = { name: "errors/rate_limited.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="rate_limited-api-429" tabindex="-1">rate_limited (API 429) <a class="header-anchor" href="#rate_limited-api-429" aria-label="Permalink to &quot;rate_limited (API 429)&quot;">​</a></h1><p>The organisation sends more requests or reports in a second than it may.</p><p><strong>Why.</strong> The limits are <code>requestsPerSecond</code> and <code>reportsPerSecond</code> of each replica.</p><p><strong>What to do.</strong> Wait for <code>Retry-After</code>. Gates do that by themselves. Send usage in batches, or let an operator raise the limit.</p><p><strong>Related.</strong> <a href="/errors/too_many_attempts.html"><code>too_many_attempts</code></a>, <a href="/errors/overloaded.html"><code>overloaded</code></a>. Read more: <a href="/control-plane/limits.html">What are its limits?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/rate_limited.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const rate_limited = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  rate_limited as default
};
