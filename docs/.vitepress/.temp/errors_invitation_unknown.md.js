import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"invitation_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/invitation_unknown.md","filePath":"packages/control-plane/errors/invitation_unknown.md"}');
const _sfc_main = { name: "errors/invitation_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="invitation_unknown-api-404" tabindex="-1">invitation_unknown (API 404) <a class="header-anchor" href="#invitation_unknown-api-404" aria-label="Permalink to &quot;invitation_unknown (API 404)&quot;">​</a></h1><p>There is no open invitation with this ID.</p><p><strong>Why.</strong> It was accepted or revoked, or it has expired.</p><p><strong>What to do.</strong> Invite the person again.</p><p><strong>Related.</strong> <a href="/errors/link_unknown.html"><code>link_unknown</code></a>, <a href="/errors/too_many_invitations.html"><code>too_many_invitations</code></a>. Read more: <a href="/control-plane/people.html">How do people sign in?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/invitation_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const invitation_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  invitation_unknown as default
};
