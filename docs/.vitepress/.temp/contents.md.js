import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Documentation","description":"","frontmatter":{},"headers":[],"relativePath":"contents.md","filePath":"docs/README.md"}');
const _sfc_main = { name: "contents.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="documentation" tabindex="-1">Documentation <a class="header-anchor" href="#documentation" aria-label="Permalink to &quot;Documentation&quot;">​</a></h1><p><a href="/start.html">Start here</a>: from a route to customers who pay.</p><table tabindex="0"><thead><tr><th>group</th><th>what it covers</th></tr></thead><tbody><tr><td><a href="/gate/">Gate</a></td><td>one process: holds, denials, events, client disconnects, options</td></tr><tr><td><a href="/fleet/">Share wallets</a></td><td>many processes on one wallet: Redis, PostgreSQL, Durable Objects</td></tr><tr><td><a href="/models/">Meter models</a></td><td>usage straight from the AI SDKs</td></tr><tr><td><a href="/control-plane/">Run a control plane</a></td><td>the service that keeps the wallets</td></tr></tbody></table><p>Concepts, in one page each: <a href="/concepts/hold.html">hold</a>, <a href="/concepts/settlement.html">settlement</a>, <a href="/concepts/outages.html">outages</a>, <a href="/concepts/many-processes.html">many processes</a>, <a href="/concepts/streams.html">streams</a>, <a href="/concepts/budgets.html">budgets</a>. <a href="/errors.html">What does this error code mean?</a></p><p><code>npm run docs</code> builds these pages as a site with a search, in <code>docs/.vitepress/dist</code>. It has a <a href="/playground.html">playground</a>.</p><p><a href="/contest.html">The contest</a> compares the gate with packages that you could use instead.</p><p><a href="/glossary.html">Glossary</a>: the words, and the types that carry them.</p><p>How it is built: <a href="/architecture.html">architecture</a>, <a href="/design/proof.html">proof</a>, <a href="/design/fleet.html">fleets</a>, <a href="/design/delivery.html">delivery</a>, <a href="/design/control-plane.html">control plane</a>.</p><p><a href="/versions.html">Which versions work together</a>, and what a version means.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};
