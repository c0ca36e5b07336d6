import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"request_failed (creditgate command)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/request_failed.md","filePath":"packages/control-plane/errors/request_failed.md"}');
const _sfc_main = { name: "errors/request_failed.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="request_failed-creditgate-command" tabindex="-1">request_failed (creditgate command) <a class="header-anchor" href="#request_failed-creditgate-command" aria-label="Permalink to &quot;request_failed (creditgate command)&quot;">​</a></h1><p>The control plane refused or did not answer the command&#39;s request.</p><p><strong>Why.</strong> The message has the service&#39;s own words.</p><p><strong>What to do.</strong> Correct what it names. Check <code>--base-url</code> and the admin token.</p><p><strong>Related.</strong> <a href="/errors/unauthorized.html"><code>unauthorized</code></a>, <a href="/errors/not_sent.html"><code>not_sent</code></a>. Read more: <a href="/control-plane/command-line.html">Which commands are there?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/request_failed.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const request_failed = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  request_failed as default
};
