import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"How do I see my gates?","description":"","frontmatter":{},"headers":[],"relativePath":"control-plane/gates.md","filePath":"docs/control-plane/gates.md"}');
const _sfc_main = { name: "control-plane/gates.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="how-do-i-see-my-gates" tabindex="-1">How do I see my gates? <a class="header-anchor" href="#how-do-i-see-my-gates" aria-label="Permalink to &quot;How do I see my gates?&quot;">​</a></h1><p>Turn on heartbeats with <code>startHeartbeat</code> of <a href="/packages/core.html"><code>@creditgate/core</code></a>. Each gate then posts its state to <code>POST /api/v2/gates/heartbeat</code>, with an API key that has the scope <code>usage</code>. The dashboard&#39;s page Gates and the <a href="/control-plane/admin-api.html">admin API</a> show it. The endpoint is our addition to the API.</p><table tabindex="0"><thead><tr><th>path</th><th>what it does</th></tr></thead><tbody><tr><td><code>GET …/gates?minutes=</code></td><td>gates of the last hour with their latest state; their decisions of the last <code>minutes</code> (5 to 1,440) by name and code; the first 100 reports that wait for an operator; <code>separateLedgers</code></td></tr><tr><td><code>POST …/gates/{id}/retry</code></td><td><code>{ reportIds }</code>: the response to the gate&#39;s next heartbeat asks it to send these reports again, held for review (<code>parked</code>) or dead. Returns <code>{ asked }</code></td></tr></tbody></table><p>Heartbeats carry totals since the gate&#39;s start, so a repeated heartbeat counts once.</p><h2 id="separate-ledgers" tabindex="-1">Separate ledgers <a class="header-anchor" href="#separate-ledgers" aria-label="Permalink to &quot;Separate ledgers&quot;">​</a></h2><p>Without any heartbeat, the service recognises processes that spend the same wallets without a shared ledger. Such processes can overspend a wallet together. It reports them to their gates, to <code>creditgate doctor</code> and on the page Gates: <a href="/decisions/0012-separate-ledgers.html">how it recognises them</a>.</p><p>To fix it, give the processes one ledger on <a href="/packages/redis.html">Redis</a>, <a href="/packages/postgres.html">PostgreSQL</a> or <a href="/packages/cloudflare.html">Durable Objects</a>.</p><h2 id="limits" tabindex="-1">Limits <a class="header-anchor" href="#limits" aria-label="Permalink to &quot;Limits&quot;">​</a></h2><table tabindex="0"><thead><tr><th>condition</th><th>effect</th></tr></thead><tbody><tr><td>a gate sends no heartbeat for an hour</td><td>it is forgotten</td></tr><tr><td>decisions older than a day</td><td>are deleted; they are counted in steps of five minutes</td></tr><tr><td>an organisation has 1,000 gates in an hour</td><td>a further one is refused, 409 <code>too_many_gates</code></td></tr><tr><td>10,000 names and codes of decisions in five minutes</td><td>more are refused, 409 <code>too_many_gates</code></td></tr><tr><td>all heartbeats of an organisation exceed 4 MiB</td><td>further waiting reports are counted, not listed</td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/control-plane/gates.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const gates = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  gates as default
};
