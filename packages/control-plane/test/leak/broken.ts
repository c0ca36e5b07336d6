/** A middleware with one leak: what of `by-hand.mjs` it does differently, and where `creditgate leak` must see it. */
export interface Broken {
  readonly cause: string;
  readonly patch: readonly (readonly [string, string])[];
  /** The scenarios that must show work that is not paid. */
  readonly leaks: readonly string[];
  /** Those that show it if a report is late. No other scenario shows any. */
  readonly may?: readonly string[];
}

/** Written before `creditgate leak` was: one for each cause that we know of work that nobody pays. */
export const broken: readonly Broken[] = [
  {
    cause: "the balance is read, and spent later",
    patch: [
      [
        "  const { balances } =",
        "  const held = [...open].filter((one) => one.customer === customer).length;\n  const { balances } =",
      ],
      ["  const held = [...open].filter((message) => message.customer === customer).length;\n", ""],
    ],
    leaks: ["parallel", "late"],
    may: ["http2"],
  },
  {
    cause: "usage that is reported and not debited is forgotten",
    patch: [["setTimeout(() => open.delete(message), lagMs).unref()", "open.delete(message)"]],
    leaks: ["late"],
    // A balance that was read before a debit, and decides after the report.
    may: ["parallel", "http2"],
  },
  {
    cause: "only POST is gated",
    patch: [
      [
        "  return requireCredits(request, response, chat);",
        '  if (request.method === "POST") return requireCredits(request, response, chat);\n  return chat(request, response, undefined, {});',
      ],
      ["  signal.throwIfAborted();\n", ""],
    ],
    leaks: ["methods", "methods-empty"],
  },
  {
    cause: "usage is reported when the response has finished, which one that a client leaves never has",
    patch: [
      ["if (state.asked) void pay(message);\n    else {", "if (!state.asked) {"],
      ["  const state = {", '  response.once("finish", () => pay(message));\n  const state = {'],
      ["    signal,\n  });", "  });"],
      [', "drain", { signal })', ', "drain")'],
    ],
    leaks: ["leave-early", "leave-headers", "leave-byte", "slow"],
    // Clients that give up during an outage.
    may: ["fails", "hangs"],
  },
  {
    cause: "usage is reported after the stream, which throws when the client leaves",
    patch: [
      [
        "    await work(request, response, left.signal, state);",
        "    await work(request, response, left.signal, state);\n    void pay(message);",
      ],
      ["if (state.asked) void pay(message);\n    else {", "if (!state.asked) {"],
    ],
    leaks: ["leave-headers", "leave-byte", "slow", "http2-leave"],
  },
  {
    cause: "a report that fails is dropped",
    patch: [["      await delay(pauseMs);", "      return;"]],
    leaks: ["fails", "hangs"],
  },
  {
    cause: "work is let in when the balance cannot be read",
    patch: [
      ["    return refuse(response, 503);", "    return await chat(request, response, left.signal, {});"],
    ],
    leaks: ["fails", "hangs", "fails-empty", "hangs-empty"],
  },
  {
    cause: "usage waits in memory",
    patch: [["function record(line) {", "function record(_line) {\n  return;"]],
    leaks: ["killed", "killed-waiting"],
    may: ["stopped"],
  },
  {
    cause: "a hold expires while the work goes on",
    patch: [
      [
        "  open.add(message);\n  record(",
        "  setTimeout(() => open.delete(message), Number(TIMEOUT_MS));\n  open.add(message);\n  record(",
      ],
      ["if (state.asked) void pay(message);", "if (state.asked && open.has(message)) void pay(message);"],
    ],
    leaks: ["slow"],
  },
  {
    cause: "holds are counted by connection, and HTTP/2 has many requests on one",
    patch: [
      [
        "filter((message) => message.customer === customer).length;",
        "filter((one) => one.customer === customer).map(({ port }) => port);",
      ],
      ["available - held < 1", "available - new Set(held).size < 1"],
      ["async function admit(customer) {", "async function admit(customer, port) {"],
      ["message = await admit(customer);", "message = await admit(customer, request.socket.remotePort);"],
      [
        "const message = { key: crypto.randomUUID(), customer };",
        "const message = { key: crypto.randomUUID(), customer, port };",
      ],
    ],
    leaks: ["http2"],
  },
  {
    cause: "an answer that is cut off is reported without its tokens",
    patch: [
      ["inputTokens: 10, outputTokens: 20", "inputTokens: 10, outputTokens: message.tokens"],
      ["if (state.asked) void", "message.tokens = left.signal.aborted ? 0 : 20;\n    if (state.asked) void"],
    ],
    leaks: ["leave-byte"],
    may: ["leave-headers", "http2-leave"],
  },
  {
    cause: "each attempt to report has a key of its own",
    patch: [
      [
        '{ method: "POST", headers, body }',
        '{ method: "POST", headers: { ...headers, "idempotency-key": crypto.randomUUID() }, body }',
      ],
    ],
    leaks: ["lost"],
    // What a process had sent when it ended goes out again.
    may: ["killed", "killed-waiting", "stopped"],
  },
];
