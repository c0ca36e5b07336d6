import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"What are its limits?","description":"","frontmatter":{},"headers":[],"relativePath":"control-plane/limits.md","filePath":"docs/control-plane/limits.md"}');
const _sfc_main = { name: "control-plane/limits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="what-are-its-limits" tabindex="-1">What are its limits? <a class="header-anchor" href="#what-are-its-limits" aria-label="Permalink to &quot;What are its limits?&quot;">​</a></h1><p>The <a href="/packages/control-plane.html#caveats">README</a> has the caveats that most people meet. These are the others. <a href="/control-plane/operations.html#limits">Rates and sizes</a> are on the operations page.</p><table tabindex="0"><thead><tr><th>condition</th><th>effect</th><th>what to do</th></tr></thead><tbody><tr><td>a proxy stands in front without <code>--trusted-proxies</code></td><td>all clients share one address, and a new key may wait while others try wrong ones</td><td>set it to the number of proxies</td></tr><tr><td>several replicas</td><td>each applies rate limits by itself</td><td>divide the limits</td></tr><tr><td>people sign in with passwords</td><td>there is no second factor</td><td>use an <a href="/control-plane/openid-connect.html">identity provider</a></td></tr><tr><td>somebody guesses a password from many addresses</td><td>sign-in from a new browser can be delayed; known browsers, sessions, tokens and links work</td><td>wait, or use an identity provider</td></tr><tr><td>an owner invites an e-mail address</td><td>the answer reveals whether it has an account, also in another organisation</td><td></td></tr><tr><td>servers and workers have different period options</td><td>periods end at different times</td><td>give all the same, or set them per organisation</td></tr><tr><td>the clock jumped ahead when a period closed</td><td>the wallet&#39;s next period closes only after real time has passed that instant</td><td></td></tr><tr><td>the embedded PostgreSQL changes its major version</td><td>it cannot read the old data</td><td>dump and restore</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/control-plane/limits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const limits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  limits as default
};
