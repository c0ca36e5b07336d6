import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"invalid_option (client error, gate)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/invalid_option.md","filePath":"packages/control-plane/errors/invalid_option.md"}');
const _sfc_main = { name: "errors/invalid_option.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="invalid_option-client-error-gate" tabindex="-1">invalid_option (client error, gate) <a class="header-anchor" href="#invalid_option-client-error-gate" aria-label="Permalink to &quot;invalid_option (client error, gate)&quot;">​</a></h1><p>Your program passed something that cannot be right. Nothing was sent.</p><p><strong>Why.</strong> An option is unknown, has the wrong type or is out of bounds, or two options exclude each other. Or there is no address or API key.</p><p><strong>What to do.</strong> Read the message: it has the option, what was expected and what was received, and the nearest name for a misspelled one.</p><p><strong>Related.</strong> <a href="/errors/aborted.html"><code>aborted</code></a>, <a href="/errors/config_invalid.html"><code>config_invalid</code></a>. Read more: <a href="/gate/options.html">Which options does a gate have?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/invalid_option.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const invalid_option = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  invalid_option as default
};
