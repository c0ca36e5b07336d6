import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"redirected (client error)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/redirected.md","filePath":"packages/control-plane/errors/redirected.md"}');
const _sfc_main = { name: "errors/redirected.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="redirected-client-error" tabindex="-1">redirected (client error) <a class="header-anchor" href="#redirected-client-error" aria-label="Permalink to &quot;redirected (client error)&quot;">​</a></h1><p>The service answered with a redirect, which the client does not follow. Nothing was processed.</p><p><strong>Why.</strong> The address is that of a proxy that redirects http to https, or lacks a path.</p><p><strong>What to do.</strong> Set <code>CREDITGATE_BASE_URL</code> to the address that it redirects to.</p><p><strong>Related.</strong> <a href="/errors/not_sent.html"><code>not_sent</code></a>, <a href="/errors/answer_invalid.html"><code>answer_invalid</code></a>. Read more: <a href="/gate/client.html">How do I call the billing service?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/redirected.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const redirected = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  redirected as default
};
