import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"too_many_feeds (API 429)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/too_many_feeds.md","filePath":"packages/control-plane/errors/too_many_feeds.md"}');
const _sfc_main = { name: "errors/too_many_feeds.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="too_many_feeds-api-429" tabindex="-1">too_many_feeds (API 429) <a class="header-anchor" href="#too_many_feeds-api-429" aria-label="Permalink to &quot;too_many_feeds (API 429)&quot;">​</a></h1><p>The organisation has as many usage feeds open as it may have.</p><p><strong>Why.</strong> Feeds that no longer read stay open until they end.</p><p><strong>What to do.</strong> Close one, or wait for <code>Retry-After</code>.</p><p><strong>Related.</strong> <a href="/errors/too_many_exports.html"><code>too_many_exports</code></a>, <a href="/errors/overloaded.html"><code>overloaded</code></a>. Read more: <a href="/control-plane/usage-feed.html">How do I follow usage as it happens?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/too_many_feeds.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const too_many_feeds = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  too_many_feeds as default
};
