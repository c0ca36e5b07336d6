import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"new (shared store)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/new.md","filePath":"packages/control-plane/errors/new.md"}');
const _sfc_main = { name: "errors/new.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="new-shared-store" tabindex="-1">new (shared store) <a class="header-anchor" href="#new-shared-store" aria-label="Permalink to &quot;new (shared store)&quot;">​</a></h1><p>The store was never used before, or it has lost its data. It grants nothing for one lease.</p><p><strong>Why.</strong> Earlier grants may still be in use by other processes, so new ones could overspend.</p><p><strong>What to do.</strong> For a store that was never used, run the command <code>init</code> once before the first process. Otherwise wait for one lease.</p><p><strong>Related.</strong> <a href="/errors/ledger_unavailable.html"><code>ledger_unavailable</code></a>, <a href="/errors/unnoted.html"><code>unnoted</code></a>. Read more: <a href="/fleet/operate.html">How do I operate a fleet?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/new.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const _new = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  _new as default
};
