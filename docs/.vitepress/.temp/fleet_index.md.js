import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Share wallets","description":"","frontmatter":{},"headers":[],"relativePath":"fleet/index.md","filePath":"docs/fleet/README.md"}');
const _sfc_main = { name: "fleet/index.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="share-wallets" tabindex="-1">Share wallets <a class="header-anchor" href="#share-wallets" aria-label="Permalink to &quot;Share wallets&quot;">​</a></h1><p>Many processes can spend one wallet without overspending it. They share a ledger in <a href="/packages/redis.html">Redis</a>, in <a href="/packages/postgres.html">PostgreSQL</a>, or in <a href="/packages/cloudflare.html">Durable Objects</a>.</p><table tabindex="0"><thead><tr><th>you want to</th><th>page</th></tr></thead><tbody><tr><td>know the mechanism, the terms and the limits</td><td><a href="/fleet/shared-store.html">How does a shared store work?</a></td></tr><tr><td>know what a crash costs</td><td><a href="/fleet/failures.html">What happens when something fails?</a></td></tr><tr><td>keep usage if a process never returns</td><td><a href="/fleet/outbox.html">How does usage survive its process?</a></td></tr><tr><td>look after reservations and waiting reports</td><td><a href="/fleet/operate.html">How do I operate a fleet?</a></td></tr><tr><td>set up PostgreSQL</td><td><a href="/fleet/postgres.html">What does PostgreSQL need?</a></td></tr><tr><td>set up Redis</td><td><a href="/fleet/redis.html">What does Redis need?</a></td></tr><tr><td>compare costs</td><td><a href="/fleet/speed.html">How fast is it?</a></td></tr><tr><td>run on Cloudflare Workers</td><td><a href="/fleet/durable-objects.html">How does a wallet in a Durable Object work?</a>, <a href="/fleet/durable-objects-faults.html">faults</a></td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/fleet/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};
