import { resolveComponent, useSSRContext } from "vue";
import { ssrRenderAttrs, ssrRenderComponent } from "vue/server-renderer";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Playground: 200 requests at once","description":"","frontmatter":{},"headers":[],"relativePath":"playground.md","filePath":"docs/playground.md"}');
const _sfc_main = { name: "playground.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  const _component_Playground = resolveComponent("Playground", true);
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="playground-200-requests-at-once" tabindex="-1">Playground: 200 requests at once <a class="header-anchor" href="#playground-200-requests-at-once" aria-label="Permalink to &quot;Playground: 200 requests at once&quot;">​</a></h1><p>The real gate runs in this page, beside a check that is written by hand. Both have a customer with a wallet of 50 credits, and each request costs 1. The service and its clock are simulated.</p>`);
  _push(ssrRenderComponent(_component_Playground, null, null, _parent));
  _push(`<table tabindex="0"><thead><tr><th>you set</th><th>meaning</th></tr></thead><tbody><tr><td>requests at once</td><td>how many requests arrive in the same instant</td></tr><tr><td>latency</td><td>how long the service takes to answer</td></tr><tr><td>settlement lag</td><td>how long the service takes to debit a report</td></tr><tr><td>outage</td><td>the service answers nothing from the first second on, for a minute</td></tr></tbody></table><p>The check by hand reads the balance, serves if it is at least 1, and reports the usage after the answer. All requests read the same balance, so all of them are served. The gate <a href="/concepts/hold.html">holds</a> a credit for each request, so 50 are served.</p><p>In <a href="/concepts/outages.html">an outage</a> the check by hand reports three times and gives up, so nobody pays for what it served. The gate keeps the usage and reports it later. <code>npm run demo</code> shows the same <a href="/gate/demo.html">with processes over HTTP</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/playground.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const playground = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  playground as default
};
