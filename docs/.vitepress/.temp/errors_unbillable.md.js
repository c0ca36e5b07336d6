import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"unbillable (503)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/unbillable.md","filePath":"packages/control-plane/errors/unbillable.md"}');
const _sfc_main = { name: "errors/unbillable.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="unbillable-503" tabindex="-1">unbillable (503) <a class="header-anchor" href="#unbillable-503" aria-label="Permalink to &quot;unbillable (503)&quot;">​</a></h1><p>The service refuses the usage of this work, so the work would be free. The gate stops it.</p><p><strong>Why.</strong> The agent, the indicator or the customer is unknown to the service, or it refused the usage of such work several times. One refusal is forgiven each minute, and then one request is tried.</p><p><strong>What to do.</strong> Look at the log line <code>dead</code>: it names what was refused. Create what is missing or correct the name in your code, then retry the dead letters. Once the service accepts one, the gate admits all work at once.</p><p><strong>Related.</strong> <a href="/errors/dead.html"><code>dead</code></a>, <a href="/errors/indicator_unknown.html"><code>indicator_unknown</code></a>, <a href="/errors/agent_unknown.html"><code>agent_unknown</code></a>, <a href="/errors/customer_unknown.html"><code>customer_unknown</code></a>. Read more: <a href="/gate/denials.html">Why was this request denied?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/unbillable.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const unbillable = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  unbillable as default
};
