import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"voice-call","description":"","frontmatter":{},"headers":[],"relativePath":"examples/voice-call.md","filePath":"examples/voice-call/README.md"}');
const _sfc_main = { name: "examples/voice-call.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="voice-call" tabindex="-1">voice-call <a class="header-anchor" href="#voice-call" aria-label="Permalink to &quot;voice-call&quot;">​</a></h1><p>Two customers call a receptionist. One bill has the minutes of the call and the usage of its models: speech recognised, tokens, and speech synthesised. When the credits run out, she announces it and hangs up.</p><p>From the root of the repository, after <code>npm ci &amp;&amp; npm run build</code>:</p><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;--shiki-dark:#B392F0;">npm</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> start</span><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;"> -w</span><span style="--shiki-light:#032F62;--shiki-dark:#9ECBFF;"> examples/voice-call</span></span></code></pre></div><p>It starts a control plane on a PostgreSQL of its own, and records the script as WAV files. It plays the script twice, at twenty times the speed, and prints each call, its bill and the balance after it.</p><div class="language- vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang"></span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span>the call ended: completed, after 34.0 s</span></span>
<span class="line"><span>  stt  deepgram    0.201667 minutes of audio</span></span>
<span class="line"><span>  llm  openai      199 tokens read, 161 of them cached, 71 written</span></span>
<span class="line"><span>  tts  elevenlabs  335 characters spoken</span></span>
<span class="line"><span>  bill             7.283503 credits</span></span>
<span class="line"><span>  balance          42.716497 credits</span></span></code></pre></div><p>Alice has 50 credits, and her call ends normally. Bob has 5, and in the middle of his call they are used up.</p><table tabindex="0"><thead><tr><th>file</th><th>shows</th></tr></thead><tbody><tr><td><span class="file" title="examples/voice-call/src/take-call.ts"><code>src/take-call.ts</code></span></td><td>the call: what is held ahead, what is measured, the last words</td></tr><tr><td><span class="file" title="examples/voice-call/src/play-calls.ts"><code>src/play-calls.ts</code></span></td><td>the client, the gate, and the prices that the service reports</td></tr><tr><td><span class="file" title="examples/voice-call/src/wave.ts"><code>src/wave.ts</code></span></td><td>WAV files, and their length by their header</td></tr><tr><td><span class="file" title="examples/voice-call/src/receipt.ts"><code>src/receipt.ts</code></span></td><td>the bill as text</td></tr><tr><td><span class="file" title="examples/voice-call/fixture.json"><code>fixture.json</code></span></td><td>the agent, its prices, and two customers</td></tr></tbody></table><h2 id="caveats" tabindex="-1">Caveats <a class="header-anchor" href="#caveats" aria-label="Permalink to &quot;Caveats&quot;">​</a></h2><table tabindex="0"><thead><tr><th>condition</th><th>effect</th><th>what to do</th></tr></thead><tbody><tr><td>no speech, and no model</td><td>the script has the words, the recordings are a quiet tone of the right length, and a word counts as a token</td><td></td></tr><tr><td>the gate has the clock of the call, so that a second is as long for both</td><td>it is not the machine&#39;s clock</td><td>leave out <code>clock</code> in a real call</td></tr><tr><td>the machine is busy</td><td>Bob&#39;s call ends a little earlier or later, because the control plane answers in real time</td><td></td></tr></tbody></table></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("examples/voice-call/README.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const README = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  README as default
};
