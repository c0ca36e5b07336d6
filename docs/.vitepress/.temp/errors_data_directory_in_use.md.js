import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"data_directory_in_use (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/data_directory_in_use.md","filePath":"packages/control-plane/errors/data_directory_in_use.md"}');
const _sfc_main = { name: "errors/data_directory_in_use.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="data_directory_in_use-creditgate-command" tabindex="-1">data_directory_in_use (creditgate command) <a class="header-anchor" href="#data_directory_in_use-creditgate-command" aria-label="Permalink to &quot;data_directory_in_use (creditgate command)&quot;">​</a></h1><p>Another server uses this data directory.</p><p><strong>Why.</strong> The embedded PostgreSQL has one owner.</p><p><strong>What to do.</strong> Stop the other server, or use another <code>--data</code>. Several servers share a database through <code>DATABASE_URL</code>.</p><p><strong>Related.</strong> <a href="/errors/data_directory_unusable.html"><code>data_directory_unusable</code></a>. Read more: <a href="/control-plane/options.html">Which other options are there?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/data_directory_in_use.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const data_directory_in_use = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  data_directory_in_use as default
};
