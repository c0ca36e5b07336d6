import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"stopped (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/stopped.md","filePath":"packages/control-plane/errors/stopped.md"}');
const _sfc_main = { name: "errors/stopped.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="stopped-creditgate-command" tabindex="-1">stopped (creditgate command) <a class="header-anchor" href="#stopped-creditgate-command" aria-label="Permalink to &quot;stopped (creditgate command)&quot;">​</a></h1><p>The server was stopped while it started.</p><p><strong>Why.</strong> It received a signal before it was ready.</p><p><strong>What to do.</strong> Nothing, if you stopped it. Otherwise look at what sent the signal.</p><p><strong>Related.</strong> <a href="/errors/migration_waits.html"><code>migration_waits</code></a>. Read more: <a href="/control-plane/command-line.html">Which commands are there?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/stopped.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const stopped = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  stopped as default
};
