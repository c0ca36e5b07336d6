import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"What can a gated tRPC procedure stream?","description":"","frontmatter":{},"headers":[],"relativePath":"gate/trpc.md","filePath":"docs/gate/trpc.md"}');
const _sfc_main = { name: "gate/trpc.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="what-can-a-gated-trpc-procedure-stream" tabindex="-1">What can a gated tRPC procedure stream? <a class="header-anchor" href="#what-can-a-gated-trpc-procedure-stream" aria-label="Permalink to &quot;What can a gated tRPC procedure stream?&quot;">​</a></h1><p>A procedure can stream all that tRPC can send. The work is billed when all of it has ended. The <a href="/packages/trpc.html">README</a> of <code>@creditgate/trpc</code> has the set-up and an example.</p><table tabindex="0"><thead><tr><th>a procedure gives</th><th>its end</th></tr></thead><tbody><tr><td>an async generator</td><td>when it returns or throws</td></tr><tr><td>promises in the returned object (<code>httpBatchStreamLink</code>)</td><td>when they settle</td></tr><tr><td>async iterables in the returned object, or in what these give</td><td>when each has been read to its end</td></tr><tr><td>a subscription, as a generator or an observable</td><td>when it ends, or its reader stops</td></tr><tr><td>an iterable that is no generator, such as a <code>ReadableStream</code></td><td>when it has been read; after a disconnect, see below</td></tr></tbody></table><h2 id="when-the-client-disconnects" tabindex="-1">When the client disconnects <a class="header-anchor" href="#when-the-client-disconnects" aria-label="Permalink to &quot;When the client disconnects&quot;">​</a></h2><ol><li><code>ctx.credits.signal</code> aborts.</li><li>All iterables of the result are ended, as <code>break</code> would end them. A generator stops at its next <code>yield</code>. Its <code>finally</code> block can still report.</li><li>The hold stays until the procedure and its generators have ended.</li><li>An iterable that is no generator can be filled after it was cancelled. Its work ends <a href="/gate/disconnects.html#when-has-the-work-ended">as that of a stream</a>: with a report, after a second if it uses the signal, or after <code>abortGraceMs</code>.</li><li><code>onAbort</code> decides what is billed.</li></ol><p>A reader that stops before the end counts as a disconnect. If a generator throws, what was reported is billed.</p><h2 id="why-is-the-package-this-long" tabindex="-1">Why is the package this long? <a class="header-anchor" href="#why-is-the-package-this-long" aria-label="Permalink to &quot;Why is the package this long?&quot;">​</a></h2><p>It has about 290 lines, and the one for Koa has 75. A procedure can put iterables and promises into its result, each of them ends on its own, and tRPC reports the end of none.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("docs/gate/trpc.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const trpc = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  trpc as default
};
