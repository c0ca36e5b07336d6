import { CreditgateError } from "@creditgate/client";
import { errorMessage } from "@creditgate/core/adapter";
import { describe, expect, it } from "vitest";

const refused = Object.assign(new Error("connect ECONNREFUSED ::1:1"), { code: "ECONNREFUSED" });

describe("errorWords", () => {
  it.each<[string, unknown, string]>([
    ["a message", new Error("a"), "a"],
    ["a message with its cause", new Error("a", { cause: new Error("b") }), "a: b"],
    ["a cause once", new Error("a: b", { cause: new Error("b") }), "a: b"],
    ["a cause that is no error", new Error("a", { cause: "b" }), "a: b"],
    [
      "what an AggregateError holds",
      new AggregateError([refused, new Error("x"), refused]),
      "connect ECONNREFUSED ::1:1, x",
    ],
    [
      "the code where nothing is said",
      Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
      "ECONNREFUSED",
    ],
    ["the name where there is nothing else", new TypeError(), "TypeError"],
    ["what is no error", "thrown", "thrown"],
    [
      "an error of the client as it is",
      new CreditgateError("http", "refused", { cause: new Error("b") }),
      "refused",
    ],
  ])("says %s", (_, error, words) => expect(errorMessage(error)).toBe(words));
});
