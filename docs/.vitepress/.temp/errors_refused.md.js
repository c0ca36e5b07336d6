import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"refused (client error)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/refused.md","filePath":"packages/control-plane/errors/refused.md"}');
const _sfc_main = { name: "errors/refused.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="refused-client-error" tabindex="-1">refused (client error) <a class="header-anchor" href="#refused-client-error" aria-label="Permalink to &quot;refused (client error)&quot;">​</a></h1><p>The service did a part of what you requested, and refused the rest.</p><p><strong>Why.</strong> A top-up of several wallets succeeded for some of them. The message names the currency and the reason; <code>problem</code> is the whole answer.</p><p><strong>What to do.</strong> Create the missing wallet, or leave it out. Then repeat the call with the same idempotency key if nothing was credited, and with a new key for the rest otherwise.</p><p><strong>Related.</strong> <a href="/errors/wallet_missing.html"><code>wallet_missing</code></a>, <a href="/errors/wallet_postpaid.html"><code>wallet_postpaid</code></a>. Read more: <a href="/gate/client.html">How do I call the billing service?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/refused.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const refused = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  refused as default
};
