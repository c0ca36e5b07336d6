import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"database_newer (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/database_newer.md","filePath":"packages/control-plane/errors/database_newer.md"}');
const _sfc_main = { name: "errors/database_newer.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="database_newer-creditgate-command" tabindex="-1">database_newer (creditgate command) <a class="header-anchor" href="#database_newer-creditgate-command" aria-label="Permalink to &quot;database_newer (creditgate command)&quot;">​</a></h1><p>A newer version of Creditgate wrote the database.</p><p><strong>Why.</strong> The application was rolled back, or another server was updated first.</p><p><strong>What to do.</strong> Run that version or a later one.</p><p><strong>Related.</strong> <a href="/errors/database_older.html"><code>database_older</code></a>. Read more: <a href="/control-plane/operations.html">Running the control plane</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/database_newer.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const database_newer = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  database_newer as default
};
