import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Changelog","description":"","frontmatter":{},"headers":[],"relativePath":"changelog.md","filePath":"CHANGELOG.md"}');
const _sfc_main = { name: "changelog.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="changelog" tabindex="-1">Changelog <a class="header-anchor" href="#changelog" aria-label="Permalink to &quot;Changelog&quot;">​</a></h1><p>One for all packages, since they have one version: <a href="/versions.html#what-a-version-means">what a version means</a>. <code>npm run release -- --versions</code> writes it from the files in <code>.changeset</code>.</p><h2 id="010" tabindex="-1">0.1.0 <a class="header-anchor" href="#010" aria-label="Permalink to &quot;0.1.0&quot;">​</a></h2><p>The first version: the gate, its adapters, stores and meters, the control plane and its dashboard.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("CHANGELOG.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const CHANGELOG = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  CHANGELOG as default
};
