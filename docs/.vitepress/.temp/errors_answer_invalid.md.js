import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"answer_invalid (client error)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/answer_invalid.md","filePath":"packages/control-plane/errors/answer_invalid.md"}');
const _sfc_main = { name: "errors/answer_invalid.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="answer_invalid-client-error" tabindex="-1">answer_invalid (client error) <a class="header-anchor" href="#answer_invalid-client-error" aria-label="Permalink to &quot;answer_invalid (client error)&quot;">​</a></h1><p>A successful answer does not fit the API. If the message states that something else answered, nothing was processed.</p><p><strong>Why.</strong> The address is that of a website, or the service has another version of the API.</p><p><strong>What to do.</strong> Check <code>CREDITGATE_BASE_URL</code>. Compare the versions of client and service.</p><p><strong>Related.</strong> <a href="/errors/upstream_invalid.html"><code>upstream_invalid</code></a>, <a href="/errors/redirected.html"><code>redirected</code></a>. Read more: <a href="/versions.html">Which versions work together?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/answer_invalid.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const answer_invalid = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  answer_invalid as default
};
