import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Why is it the way it is?","description":"","frontmatter":{},"headers":[],"relativePath":"decisions.md","filePath":"docs/decisions.md"}');
const _sfc_main = { name: "decisions.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="why-is-it-the-way-it-is" tabindex="-1">Why is it the way it is? <a class="header-anchor" href="#why-is-it-the-way-it-is" aria-label="Permalink to &quot;Why is it the way it is?&quot;">​</a></h1><p>A decision that would surprise a newcomer has a page: the question, the choice, and what was rejected. <a href="/architecture.html">How it works</a> describes the result.</p><ul><li><a href="/decisions/0001-what-the-api-does-not-show.html">1. What the API does not show</a></li><li><a href="/decisions/0002-voice-and-prices.html">2. Voice calls and prices</a></li><li><a href="/decisions/0003-the-extended-service.html">3. The extended service</a></li><li><a href="/decisions/0004-reservations-not-holds.html">4. A shared store knows reservations, not holds</a></li><li><a href="/decisions/0005-parts-of-a-usage.html">5. Parts of a usage</a></li><li><a href="/decisions/0006-voids-and-credit-notes.html">6. Voids and credit notes</a></li><li><a href="/decisions/0007-usage-by-month.html">7. Usage by month</a></li><li><a href="/decisions/0008-invoices-on-paper.html">8. Invoices on paper</a></li><li><a href="/decisions/0009-citus.html">9. Citus</a></li><li><a href="/decisions/0010-ledger-by-month.html">10. The ledger by month</a></li><li><a href="/decisions/0011-the-books.html">11. The books</a></li><li><a href="/decisions/0012-separate-ledgers.html">12. Separate ledgers</a></li><li><a href="/decisions/0013-frozen.html">13. Frozen features</a></li><li><a href="/decisions/0014-more-machines.html">14. More machines</a></li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/decisions.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const decisions = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  decisions as default
};
