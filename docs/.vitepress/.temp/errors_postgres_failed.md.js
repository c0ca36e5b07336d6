import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"postgres_failed (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/postgres_failed.md","filePath":"packages/control-plane/errors/postgres_failed.md"}');
const _sfc_main = { name: "errors/postgres_failed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="postgres_failed-creditgate-command" tabindex="-1">postgres_failed (creditgate command) <a class="header-anchor" href="#postgres_failed-creditgate-command" aria-label="Permalink to &quot;postgres_failed (creditgate command)&quot;">​</a></h1><p>The embedded PostgreSQL did not start.</p><p><strong>Why.</strong> The message has the end of its log. As root it needs a user <code>postgres</code> or <code>nobody</code>.</p><p><strong>What to do.</strong> Correct what the log names, or set <code>DATABASE_URL</code>.</p><p><strong>Related.</strong> <a href="/errors/postgres_missing.html"><code>postgres_missing</code></a>, <a href="/errors/data_directory_unusable.html"><code>data_directory_unusable</code></a>. Read more: <a href="/control-plane/options.html">Which other options are there?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/postgres_failed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const postgres_failed = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  postgres_failed as default
};
