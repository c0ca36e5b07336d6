import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"port_unavailable (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/port_unavailable.md","filePath":"packages/control-plane/errors/port_unavailable.md"}');
const _sfc_main = { name: "errors/port_unavailable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="port_unavailable-creditgate-command" tabindex="-1">port_unavailable (creditgate command) <a class="header-anchor" href="#port_unavailable-creditgate-command" aria-label="Permalink to &quot;port_unavailable (creditgate command)&quot;">​</a></h1><p>The server cannot listen on its address.</p><p><strong>Why.</strong> Another program uses the port, or the user may not open it.</p><p><strong>What to do.</strong> Stop the other program, or choose another <code>--port</code>.</p><p><strong>Related.</strong> <a href="/errors/config_invalid.html"><code>config_invalid</code></a>. Read more: <a href="/control-plane/options.html">Which other options are there?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/port_unavailable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const port_unavailable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  port_unavailable as default
};
