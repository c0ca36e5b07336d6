import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Gate","description":"","frontmatter":{},"headers":[],"relativePath":"gate/index.md","filePath":"docs/gate/README.md"}');
const _sfc_main = { name: "gate/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="gate" tabindex="-1">Gate <a class="header-anchor" href="#gate" aria-label="Permalink to &quot;Gate&quot;">​</a></h1><p>One process, one wallet: what a gate does with a request, and what you can set.</p><table tabindex="0"><thead><tr><th>you want to</th><th>page</th></tr></thead><tbody><tr><td>know what is promised</td><td><a href="/gate/promise.html">What does the gate promise?</a></td></tr><tr><td>understand a decision</td><td><a href="/gate/decide.html">How is a request decided?</a>, <a href="/gate/denials.html">why was this request denied?</a></td></tr><tr><td>choose a hold</td><td><a href="/gate/hold.html">How much do I hold?</a></td></tr><tr><td>cap a member, a team or a run</td><td><a href="/gate/budgets.html">How do I cap a member, a team or a run?</a></td></tr><tr><td>report usage</td><td><a href="/gate/report.html">How do I report usage?</a>, <a href="/gate/billed-once.html">what is billed once?</a></td></tr><tr><td>know what happens when a client disconnects</td><td><a href="/gate/disconnects.html">What happens when a client disconnects?</a></td></tr><tr><td>know what an adapter does</td><td><a href="/gate/adapters.html">What does an adapter do with a request?</a></td></tr><tr><td>use a framework</td><td><a href="/gate/nextjs.html">Next.js</a>, <a href="/gate/nestjs.html">NestJS</a>, <a href="/gate/trpc.html">tRPC</a>, <a href="/gate/react.html">React</a>, <a href="/gate/edge.html">edge</a></td></tr><tr><td>run without a server</td><td><a href="/gate/serverless.html">serverless functions</a>, <a href="/gate/isolates.html">isolates without a shared ledger</a></td></tr><tr><td>survive a crash</td><td><a href="/gate/crashes.html">What survives a crash?</a>, <a href="/gate/outbox-sqlite.html">an outbox in a file</a></td></tr><tr><td>run several processes</td><td><a href="/gate/many-processes.html">Can several processes share a wallet?</a></td></tr><tr><td>set an option, handle an event</td><td><a href="/gate/options.html">options</a>, <a href="/gate/events.html">events</a></td></tr><tr><td>operate it</td><td><a href="/gate/operate.html">How do I operate a gate?</a></td></tr><tr><td>use your own billing, or one table</td><td><a href="/gate/own-service.html">How do I use the gate with my own billing?</a></td></tr><tr><td>call the service yourself</td><td><a href="/gate/client.html">How do I call the billing service?</a></td></tr><tr><td>support a framework that is missing</td><td><a href="/gate/write-an-adapter.html">How do I write an adapter?</a></td></tr><tr><td>find work that your own middleware gives away</td><td><a href="/gate/leak.html">Does my application do work that nobody pays?</a></td></tr><tr><td>see a demonstration</td><td><a href="/gate/demo.html">What does <code>npm run demo</code> show?</a></td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/gate/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};
