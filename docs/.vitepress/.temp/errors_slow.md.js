import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"slow (shared store)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/slow.md","filePath":"packages/control-plane/errors/slow.md"}');
const _sfc_main = { name: "errors/slow.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="slow-shared-store" tabindex="-1">slow (shared store) <a class="header-anchor" href="#slow-shared-store" aria-label="Permalink to &quot;slow (shared store)&quot;">​</a></h1><p>The store answers later than requests wait, so requests that need it get 503.</p><p><strong>Why.</strong> The store is overloaded or far away.</p><p><strong>What to do.</strong> Move it nearer or give it more capacity. Or raise <code>checkTimeoutMs</code>.</p><p><strong>Related.</strong> <a href="/errors/silent.html"><code>silent</code></a>, <a href="/errors/ledger.html"><code>ledger</code></a>. Read more: <a href="/fleet/failures.html">What happens when something fails?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/slow.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const slow = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  slow as default
};
