import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"database_older (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/database_older.md","filePath":"packages/control-plane/errors/database_older.md"}');
const _sfc_main = { name: "errors/database_older.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="database_older-creditgate-command" tabindex="-1">database_older (creditgate command) <a class="header-anchor" href="#database_older-creditgate-command" aria-label="Permalink to &quot;database_older (creditgate command)&quot;">​</a></h1><p>The schema of the database is older than this version needs, or the role may not use its tables.</p><p><strong>Why.</strong> No migration has run since the update.</p><p><strong>What to do.</strong> Run <code>creditgate migrate</code> of this version. If servers use a role of their own, pass <code>--app-role NAME</code>.</p><p><strong>Related.</strong> <a href="/errors/database_newer.html"><code>database_newer</code></a>, <a href="/errors/migration_waits.html"><code>migration_waits</code></a>. Read more: <a href="/control-plane/operations.html">Running the control plane</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/database_older.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const database_older = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  database_older as default
};
