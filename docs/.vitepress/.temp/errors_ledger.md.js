import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"ledger (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/ledger.md","filePath":"packages/control-plane/errors/ledger.md"}');
const _sfc_main = { name: "errors/ledger.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="ledger-log-line" tabindex="-1">ledger (log line) <a class="header-anchor" href="#ledger-log-line" aria-label="Permalink to &quot;ledger (log line)&quot;">​</a></h1><p>The store of the shared ledger fails or is late. Requests that need it get 503.</p><p><strong>Why.</strong> The line has the store&#39;s error. Processes keep spending what they have reserved.</p><p><strong>What to do.</strong> Repair the store. If it is only slow, look at its load and at the network between.</p><p><strong>Related.</strong> <a href="/errors/ledger_unavailable.html"><code>ledger_unavailable</code></a>, <a href="/errors/silent.html"><code>silent</code></a>, <a href="/errors/slow.html"><code>slow</code></a>, <a href="/errors/new.html"><code>new</code></a>. Read more: <a href="/fleet/failures.html">What happens when something fails?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/ledger.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const ledger = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  ledger as default
};
