import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"route_unknown (API 404)","description":"","frontmatter":{},"headers":[],"relativePath":"errors/route_unknown.md","filePath":"packages/control-plane/errors/route_unknown.md"}');
const _sfc_main = { name: "errors/route_unknown.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="route_unknown-api-404" tabindex="-1">route_unknown (API 404) <a class="header-anchor" href="#route_unknown-api-404" aria-label="Permalink to &quot;route_unknown (API 404)&quot;">​</a></h1><p>The API has no such path.</p><p><strong>Why.</strong> The path is misspelled, or <code>CREDITGATE_BASE_URL</code> has a path too many. Or the service is older than the client.</p><p><strong>What to do.</strong> Compare the path with <code>/openapi.json</code> of the service.</p><p><strong>Related.</strong> <a href="/errors/method_not_allowed.html"><code>method_not_allowed</code></a>, <a href="/errors/http.html"><code>http</code></a>. Read more: <a href="/control-plane/command-line.html">Which commands are there?</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("packages/control-plane/errors/route_unknown.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const route_unknown = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  route_unknown as default
};
