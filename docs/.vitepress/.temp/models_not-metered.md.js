import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Which model calls are not metered?","description":"","frontmatter":{},"headers":[],"relativePath":"models/not-metered.md","filePath":"docs/models/not-metered.md"}');
const _sfc_main = { name: "models/not-metered.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="which-model-calls-are-not-metered" tabindex="-1">Which model calls are not metered? <a class="header-anchor" href="#which-model-calls-are-not-metered" aria-label="Permalink to &quot;Which model calls are not metered?&quot;">​</a></h1><p>The calls in this table. <code>meteredModel</code> refuses such a model. <code>meteredFetch</code> sends the request, and logs one line; so does <code>meteredModel</code> for a stream. Bill them with <code>credits.report()</code>, or use the alternative.</p><table tabindex="0"><thead><tr><th>call</th><th>alternative</th></tr></thead><tbody><tr><td>video, reranking, realtime, batch</td><td>report by hand</td></tr><tr><td>Claude by the clients of Bedrock and Vertex</td><td>the AI SDK&#39;s models of Bedrock and Vertex</td></tr><tr><td>Gemini&#39;s <code>live</code> and <code>interactions</code></td><td>report by hand</td></tr><tr><td>OpenAI&#39;s assistants</td><td>report by hand</td></tr><tr><td>streamed speech and transcription of the AI SDK 7</td><td>report by hand</td></tr></tbody></table><p>Two kinds of calls are metered in part:</p><table tabindex="0"><thead><tr><th>call</th><th>what is billed</th></tr></thead><tbody><tr><td>a Response in the background</td><td>what it reads, estimated. Report the rest by hand</td></tr><tr><td>a transcription as plain text, <code>srt</code> or <code>vtt</code></td><td>nothing, because the answer has no counts. Request JSON</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/models/not-metered.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const notMetered = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  notMetered as default
};
