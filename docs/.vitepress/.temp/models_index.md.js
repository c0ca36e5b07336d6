import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Meter models","description":"","frontmatter":{},"headers":[],"relativePath":"models/index.md","filePath":"docs/models/README.md"}');
const _sfc_main = { name: "models/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="meter-models" tabindex="-1">Meter models <a class="header-anchor" href="#meter-models" aria-label="Permalink to &quot;Meter models&quot;">​</a></h1><p><code>@creditgate/ai</code> bills a model call by the usage that its provider reports.</p><table tabindex="0"><thead><tr><th>you want to</th><th>page</th></tr></thead><tbody><tr><td>meter a call</td><td><a href="/models/meter.html">How do I meter a model call?</a>, <a href="/models/not-metered.html">which calls are not metered?</a></td></tr><tr><td>hold what a call can cost</td><td><a href="/models/hold-for.html">How much may a model call cost?</a>, <a href="/models/estimates.html">how are tokens estimated?</a></td></tr><tr><td>know what an interrupted call costs</td><td><a href="/models/endings.html">What is billed for a model call that breaks off?</a></td></tr><tr><td>map a provider&#39;s fields to counts</td><td><a href="/models/usage-fields.html">Which provider fields become which counts?</a></td></tr><tr><td>bill a voice call</td><td><a href="/models/voice-calls.html">How is a voice call billed?</a></td></tr><tr><td>run a gateway for other stacks</td><td><a href="/models/gateway.html">What does the LLM gateway serve?</a></td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/models/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};
