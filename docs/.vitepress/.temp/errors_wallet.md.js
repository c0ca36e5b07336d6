import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"wallet (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/wallet.md","filePath":"packages/control-plane/errors/wallet.md"}');
const _sfc_main = { name: "errors/wallet.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="wallet-log-line" tabindex="-1">wallet (log line) <a class="header-anchor" href="#wallet-log-line" aria-label="Permalink to &quot;wallet (log line)&quot;">​</a></h1><p>Your function <code>wallet()</code> failed. Requests get 503.</p><p><strong>Why.</strong> It threw, or returned something other than <code>&quot;prepaid&quot;</code> or <code>&quot;postpaid&quot;</code>.</p><p><strong>What to do.</strong> Repair the function. Remove it if the service reports the kind of each wallet.</p><p><strong>Related.</strong> <a href="/errors/wallet_mismatch.html"><code>wallet_mismatch</code></a>, <a href="/errors/upstream_unavailable.html"><code>upstream_unavailable</code></a>. Read more: <a href="/gate/decide.html">How is a request decided?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/wallet.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const wallet = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  wallet as default
};
