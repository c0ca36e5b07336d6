import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"wallet_mismatch (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/wallet_mismatch.md","filePath":"packages/control-plane/errors/wallet_mismatch.md"}');
const _sfc_main = { name: "errors/wallet_mismatch.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="wallet_mismatch-503" tabindex="-1">wallet_mismatch (503) <a class="header-anchor" href="#wallet_mismatch-503" aria-label="Permalink to &quot;wallet_mismatch (503)&quot;">​</a></h1><p>The wallet is of the other kind than the option <code>wallet</code> of the gate.</p><p><strong>Why.</strong> The gate expects a prepaid wallet and the service reports a postpaid one, or the reverse. Both kinds show zeros in different cases, so a guess could serve for free.</p><p><strong>What to do.</strong> Remove the option <code>wallet</code> if the service reports the kind, as our control plane does. Otherwise return the right kind for each customer.</p><p><strong>Related.</strong> <a href="/errors/upstream_invalid.html"><code>upstream_invalid</code></a>, <a href="/errors/wallet.html"><code>wallet</code></a>. Read more: <a href="/gate/decide.html">How is a request decided?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/wallet_mismatch.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const wallet_mismatch = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  wallet_mismatch as default
};
