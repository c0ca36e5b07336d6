import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"data_directory_unusable (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/data_directory_unusable.md","filePath":"packages/control-plane/errors/data_directory_unusable.md"}');
const _sfc_main = { name: "errors/data_directory_unusable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="data_directory_unusable-creditgate-command" tabindex="-1">data_directory_unusable (creditgate command) <a class="header-anchor" href="#data_directory_unusable-creditgate-command" aria-label="Permalink to &quot;data_directory_unusable (creditgate command)&quot;">​</a></h1><p>The data directory cannot be used.</p><p><strong>Why.</strong> It belongs to something else, has no data of Creditgate, or cannot be written.</p><p><strong>What to do.</strong> Name another <code>--data</code>, or give the user the right to write.</p><p><strong>Related.</strong> <a href="/errors/data_directory_in_use.html"><code>data_directory_in_use</code></a>, <a href="/errors/postgres_failed.html"><code>postgres_failed</code></a>. Read more: <a href="/control-plane/options.html">Which other options are there?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/data_directory_unusable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const data_directory_unusable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  data_directory_unusable as default
};
