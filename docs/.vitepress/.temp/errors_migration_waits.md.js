import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"migration_waits (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/migration_waits.md","filePath":"packages/control-plane/errors/migration_waits.md"}');
const _sfc_main = { name: "errors/migration_waits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="migration_waits-creditgate-command" tabindex="-1">migration_waits (creditgate command) <a class="header-anchor" href="#migration_waits-creditgate-command" aria-label="Permalink to &quot;migration_waits (creditgate command)&quot;">​</a></h1><p>The migration waits for a lock of another transaction. It is tried again until it gets the lock.</p><p><strong>Why.</strong> A backup, another migration or an open session holds it. The message names the oldest.</p><p><strong>What to do.</strong> Let it end, or end it with <code>pg_terminate_backend(pid)</code>.</p><p><strong>Related.</strong> <a href="/errors/database_older.html"><code>database_older</code></a>. Read more: <a href="/control-plane/operations.html">Running the control plane</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/migration_waits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const migration_waits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  migration_waits as default
};
