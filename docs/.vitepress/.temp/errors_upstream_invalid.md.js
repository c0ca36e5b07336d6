import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"upstream_invalid (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/upstream_invalid.md","filePath":"packages/control-plane/errors/upstream_invalid.md"}');
const _sfc_main = { name: "errors/upstream_invalid.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="upstream_invalid-503" tabindex="-1">upstream_invalid (503) <a class="header-anchor" href="#upstream_invalid-503" aria-label="Permalink to &quot;upstream_invalid (503)&quot;">​</a></h1><p>The billing service answered, but its answer is not a balance that the gate can use. The request was not served.</p><p><strong>Why.</strong> There are three usual causes. The kind of the wallet is unknown, because the service does not report it and the option <code>wallet</code> is not set. A field is missing, negative or not a number, such as a <code>bigint</code> column that arrives as text. Or the address is that of a website or of another API.</p><p><strong>What to do.</strong> Read the log line <code>balance</code>: it names the field, what was expected and what was received. Set <code>wallet: &quot;prepaid&quot;</code> or <code>&quot;postpaid&quot;</code>, use <code>Number()</code> on columns, or correct <code>CREDITGATE_BASE_URL</code>. Then run <code>creditgate doctor</code>. A retry does not help before that.</p><p><strong>Related.</strong> <a href="/errors/upstream_unavailable.html"><code>upstream_unavailable</code></a>, <a href="/errors/wallet_mismatch.html"><code>wallet_mismatch</code></a>, <a href="/errors/balance.html"><code>balance</code></a>, <a href="/errors/answer_invalid.html"><code>answer_invalid</code></a>. Read more: <a href="/gate/own-service.html">How do I use the gate with my own billing?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/upstream_invalid.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const upstream_invalid = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  upstream_invalid as default
};
