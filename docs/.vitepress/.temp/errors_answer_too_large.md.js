import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"answer_too_large (client error)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/answer_too_large.md","filePath":"packages/control-plane/errors/answer_too_large.md"}');
const _sfc_main = { name: "errors/answer_too_large.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="answer_too_large-client-error" tabindex="-1">answer_too_large (client error) <a class="header-anchor" href="#answer_too_large-client-error" aria-label="Permalink to &quot;answer_too_large (client error)&quot;">​</a></h1><p>The answer is larger than <code>maxAnswerBytes</code>. The service has processed the request.</p><p><strong>Why.</strong> Usually something other than the service answered. A list can be that large too.</p><p><strong>What to do.</strong> Check the address. Request lists in smaller pages, or raise <code>maxAnswerBytes</code>.</p><p><strong>Related.</strong> <a href="/errors/answer_invalid.html"><code>answer_invalid</code></a>. Read more: <a href="/gate/client.html">How do I call the billing service?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/answer_too_large.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const answer_too_large = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  answer_too_large as default
};
