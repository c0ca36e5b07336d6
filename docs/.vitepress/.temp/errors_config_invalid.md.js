import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"config_invalid (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/config_invalid.md","filePath":"packages/control-plane/errors/config_invalid.md"}');
const _sfc_main = { name: "errors/config_invalid.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="config_invalid-creditgate-command" tabindex="-1">config_invalid (creditgate command) <a class="header-anchor" href="#config_invalid-creditgate-command" aria-label="Permalink to &quot;config_invalid (creditgate command)&quot;">​</a></h1><p>An option or an environment variable of the command is wrong. The command exits with 2.</p><p><strong>Why.</strong> The message names the option, what was expected and what was received.</p><p><strong>What to do.</strong> Correct it. <code>creditgate COMMAND --help</code> lists the options.</p><p><strong>Related.</strong> <a href="/errors/fixture_invalid.html"><code>fixture_invalid</code></a>, <a href="/errors/invalid_option.html"><code>invalid_option</code></a>. Read more: <a href="/control-plane/command-line.html">Which commands are there?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/config_invalid.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const config_invalid = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  config_invalid as default
};
