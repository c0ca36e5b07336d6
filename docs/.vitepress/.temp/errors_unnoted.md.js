import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"unnoted (shared store)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/unnoted.md","filePath":"packages/control-plane/errors/unnoted.md"}');
const _sfc_main = { name: "errors/unnoted.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="unnoted-shared-store" tabindex="-1">unnoted (shared store) <a class="header-anchor" href="#unnoted-shared-store" aria-label="Permalink to &quot;unnoted (shared store)&quot;">​</a></h1><p>The ledger does not ask the store, because the outbox cannot record what the store might grant.</p><p><strong>Why.</strong> The outbox is unavailable. Without the record, a crash would strand credits.</p><p><strong>What to do.</strong> Repair the outbox.</p><p><strong>Related.</strong> <a href="/errors/outbox_unavailable.html"><code>outbox_unavailable</code></a>, <a href="/errors/new.html"><code>new</code></a>. Read more: <a href="/fleet/failures.html">What happens when something fails?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/unnoted.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unnoted = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unnoted as default
};
