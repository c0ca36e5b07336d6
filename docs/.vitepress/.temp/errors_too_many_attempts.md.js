import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"too_many_attempts (API 429)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/too_many_attempts.md","filePath":"packages/control-plane/errors/too_many_attempts.md"}');
const _sfc_main = { name: "errors/too_many_attempts.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="too_many_attempts-api-429" tabindex="-1">too_many_attempts (API 429) <a class="header-anchor" href="#too_many_attempts-api-429" aria-label="Permalink to &quot;too_many_attempts (API 429)&quot;">​</a></h1><p>Too many requests came without a valid credential.</p><p><strong>Why.</strong> Attempts are counted by account and by address.</p><p><strong>What to do.</strong> Wait for <code>Retry-After</code>, and correct the credential.</p><p><strong>Related.</strong> <a href="/errors/unauthorized.html"><code>unauthorized</code></a>, <a href="/errors/sign_in_refused.html"><code>sign_in_refused</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/too_many_attempts.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const too_many_attempts = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  too_many_attempts as default
};
