import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"body_too_large (API 413)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/body_too_large.md","filePath":"packages/control-plane/errors/body_too_large.md"}');
const _sfc_main = { name: "errors/body_too_large.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="body_too_large-api-413" tabindex="-1">body_too_large (API 413) <a class="header-anchor" href="#body_too_large-api-413" aria-label="Permalink to &quot;body_too_large (API 413)&quot;">​</a></h1><p>The body is larger than the API accepts.</p><p><strong>Why.</strong> The limits are 16 KiB, 256 KiB for orders and the admin API, and 1 MiB for a batch of usage.</p><p><strong>What to do.</strong> Send smaller batches.</p><p><strong>Related.</strong> <a href="/errors/too_much_at_once.html"><code>too_much_at_once</code></a>. Read more: <a href="/control-plane/limits.html">What are its limits?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/body_too_large.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const body_too_large = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  body_too_large as default
};
