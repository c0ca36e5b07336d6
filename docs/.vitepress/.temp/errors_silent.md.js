import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"silent (shared store)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/silent.md","filePath":"packages/control-plane/errors/silent.md"}');
const _sfc_main = { name: "errors/silent.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="silent-shared-store" tabindex="-1">silent (shared store) <a class="header-anchor" href="#silent-shared-store" aria-label="Permalink to &quot;silent (shared store)&quot;">​</a></h1><p>The store has not answered a sync request in time.</p><p><strong>Why.</strong> It is down, overloaded, or cut off from this process.</p><p><strong>What to do.</strong> Check the store. This process spends only what it has reserved until its lease ends.</p><p><strong>Related.</strong> <a href="/errors/slow.html"><code>slow</code></a>, <a href="/errors/ledger.html"><code>ledger</code></a>, <a href="/errors/ledger_unavailable.html"><code>ledger_unavailable</code></a>. Read more: <a href="/fleet/failures.html">What happens when something fails?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/silent.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const silent = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  silent as default
};
