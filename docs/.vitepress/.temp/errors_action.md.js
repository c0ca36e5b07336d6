import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"action (log line)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/action.md","filePath":"packages/control-plane/errors/action.md"}');
const _sfc_main = { name: "errors/action.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="action-log-line" tabindex="-1">action (log line) <a class="header-anchor" href="#action-log-line" aria-label="Permalink to &quot;action (log line)&quot;">​</a></h1><p>Your function <code>actionUrl()</code> failed. The denial is sent without a URL.</p><p><strong>Why.</strong> It threw, or returned something that is no URL or path.</p><p><strong>What to do.</strong> Repair the function.</p><p><strong>Related.</strong> <a href="/errors/insufficient_credits.html"><code>insufficient_credits</code></a>. Read more: <a href="/gate/denials.html">Why was this request denied?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/action.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const action = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  action as default
};
