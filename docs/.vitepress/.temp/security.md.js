import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Security","description":"","frontmatter":{},"headers":[],"relativePath":"security.md","filePath":"SECURITY.md"}');
const _sfc_main = { name: "security.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="security" tabindex="-1">Security <a class="header-anchor" href="#security" aria-label="Permalink to &quot;Security&quot;">​</a></h1><p>Report a vulnerability privately, through the repository&#39;s security advisories. Please open no issue.</p><h2 id="what-must-hold" tabindex="-1">What must hold <a class="header-anchor" href="#what-must-hold" aria-label="Permalink to &quot;What must hold&quot;">​</a></h2><ul><li><strong>The customer comes from verified authentication</strong>, through a resolver that you write. No default reads a header or the query. Without a customer the answer is 401, never a shared anonymous wallet.</li><li><strong>Uncertainty is not a yes.</strong> An outage, a malformed balance, a full outbox or a full cache is a 503.</li><li><strong>Keys of caches and ledgers are used as they are.</strong> Customer ids and currencies have at most 256 bytes and no control characters. They are never folded to another case or form. <code>__proto__</code> and <code>constructor</code> are ordinary names.</li><li><strong>Everything is bounded:</strong> customers in memory, balance requests per customer, the size and duration of answers, the outbox. A customer with open holds is never evicted; new customers are denied instead.</li><li><strong>The API key travels in its header only</strong>, and so does an admin token. Neither appears in a URL, an error, a log or the outbox. The client requires HTTPS, except on loopback addresses, and never follows a redirect.</li><li><strong>The file of an outbox</strong> has mode 0600, and so have its log and its lock. It contains customer ids and usage, and no key.</li><li><strong>No untrusted input is echoed into a header.</strong></li><li><strong>The control plane</strong> stores API keys as hashes and compares them in constant time. Every query names its organisation. Its ledger and its audit log are append-only.</li><li><strong>A change of money or keys</strong> needs a key with that scope, or an admin token, which is a credential of its own. On the embedded PostgreSQL, the first start creates one in <code>.creditgate/admin-token</code>, with mode 0600. Anyone who can read that file can do everything.</li></ul><p>Each package&#39;s README lists what it does not protect from, under <em>Caveats</em>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("SECURITY.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const SECURITY = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  SECURITY as default
};
