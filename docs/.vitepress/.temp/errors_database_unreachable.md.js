import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"database_unreachable (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/database_unreachable.md","filePath":"packages/control-plane/errors/database_unreachable.md"}');
const _sfc_main = { name: "errors/database_unreachable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="database_unreachable-creditgate-command" tabindex="-1">database_unreachable (creditgate command) <a class="header-anchor" href="#database_unreachable-creditgate-command" aria-label="Permalink to &quot;database_unreachable (creditgate command)&quot;">​</a></h1><p>The PostgreSQL of <code>DATABASE_URL</code> cannot be reached.</p><p><strong>Why.</strong> The address, the password or the network is wrong, or the server is down.</p><p><strong>What to do.</strong> Try the same URL with <code>psql</code>.</p><p><strong>Related.</strong> <a href="/errors/database_unavailable.html"><code>database_unavailable</code></a>, <a href="/errors/postgres_failed.html"><code>postgres_failed</code></a>. Read more: <a href="/control-plane/operations.html">Running the control plane</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/database_unreachable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const database_unreachable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  database_unreachable as default
};
