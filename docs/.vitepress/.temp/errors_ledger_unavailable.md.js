import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"ledger_unavailable (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/ledger_unavailable.md","filePath":"packages/control-plane/errors/ledger_unavailable.md"}');
const _sfc_main = { name: "errors/ledger_unavailable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="ledger_unavailable-503" tabindex="-1">ledger_unavailable (503) <a class="header-anchor" href="#ledger_unavailable-503" aria-label="Permalink to &quot;ledger_unavailable (503)&quot;">​</a></h1><p>The store of the shared ledger did not answer in time, so the gate cannot hold credits.</p><p><strong>Why.</strong> Redis, PostgreSQL or the Durable Object is unreachable or slow. Or the store has lost its data: then it grants nothing for one lease, because earlier grants may still be in use.</p><p><strong>What to do.</strong> Look at the log line <code>ledger</code> for the cause. A store that was never used needs its command <code>init</code> once. After a loss of data wait for one lease.</p><p><strong>Related.</strong> <a href="/errors/ledger.html"><code>ledger</code></a>, <a href="/errors/new.html"><code>new</code></a>, <a href="/errors/silent.html"><code>silent</code></a>, <a href="/errors/unsafe_server.html"><code>unsafe_server</code></a>. Read more: <a href="/fleet/failures.html">What happens when something fails?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/ledger_unavailable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const ledger_unavailable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  ledger_unavailable as default
};
