import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"replicas (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/replicas.md","filePath":"packages/control-plane/errors/replicas.md"}');
const _sfc_main = { name: "errors/replicas.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="replicas-log-line" tabindex="-1">replicas (log line) <a class="header-anchor" href="#replicas-log-line" aria-label="Permalink to &quot;replicas (log line)&quot;">​</a></h1><p>Several processes spend the same wallets, and they share no ledger. Together they can overspend a wallet.</p><p><strong>Why.</strong> Each process has a ledger in memory and trusts the same balance.</p><p><strong>What to do.</strong> Give <code>createGate()</code> in each process one shared ledger, on Redis, PostgreSQL or Durable Objects.</p><p><strong>Related.</strong> <a href="/errors/setup.html"><code>setup</code></a>, <a href="/errors/ledger.html"><code>ledger</code></a>. Read more: <a href="/concepts/many-processes.html">How do I run many processes?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/replicas.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const replicas = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  replicas as default
};
