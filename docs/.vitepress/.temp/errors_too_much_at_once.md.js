import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"too_much_at_once (API 429)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/too_much_at_once.md","filePath":"packages/control-plane/errors/too_much_at_once.md"}');
const _sfc_main = { name: "errors/too_much_at_once.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="too_much_at_once-api-429" tabindex="-1">too_much_at_once (API 429) <a class="header-anchor" href="#too_much_at_once-api-429" aria-label="Permalink to &quot;too_much_at_once (API 429)&quot;">​</a></h1><p>The organisation sends too many bytes at once.</p><p><strong>Why.</strong> The bodies of its requests in flight together exceed a limit.</p><p><strong>What to do.</strong> Wait for <code>Retry-After</code>, and send less at a time.</p><p><strong>Related.</strong> <a href="/errors/body_too_large.html"><code>body_too_large</code></a>, <a href="/errors/overloaded.html"><code>overloaded</code></a>. Read more: <a href="/control-plane/limits.html">What are its limits?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/too_much_at_once.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const too_much_at_once = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  too_much_at_once as default
};
