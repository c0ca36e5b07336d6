import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"fixture_invalid (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/fixture_invalid.md","filePath":"packages/control-plane/errors/fixture_invalid.md"}');
const _sfc_main = { name: "errors/fixture_invalid.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="fixture_invalid-creditgate-command" tabindex="-1">fixture_invalid (creditgate command) <a class="header-anchor" href="#fixture_invalid-creditgate-command" aria-label="Permalink to &quot;fixture_invalid (creditgate command)&quot;">​</a></h1><p>The fixture file cannot be loaded. Nothing was changed, and the command exits with 2.</p><p><strong>Why.</strong> A field is missing or wrong, or its API key belongs to another organisation.</p><p><strong>What to do.</strong> Correct the field that the message names.</p><p><strong>Related.</strong> <a href="/errors/config_invalid.html"><code>config_invalid</code></a>. Read more: <a href="/control-plane/fixture.html">What goes into a fixture?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/fixture_invalid.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const fixture_invalid = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  fixture_invalid as default
};
