import { type Gate, sharedGate } from "@creditgate/core";
import { describe, expect, it, vi } from "vitest";
import { createPrepaidScene } from "./service.ts";

let names = 0;
const freshName = () => `shared-gate.test ${names++}`;
const create = (): Gate => createPrepaidScene(5).gate;

describe("sharedGate", () => {
  it("creates a gate once for each name", () => {
    const [name, other] = [freshName(), freshName()];
    const make = vi.fn(create);
    const gate = sharedGate(name, make);
    expect(sharedGate(name, make)).toBe(gate);
    expect(make).toHaveBeenCalledOnce();
    expect(sharedGate(other, make)).not.toBe(gate);
  });

  it("is the same for another instance of this package", async () => {
    const name = freshName();
    const gate = sharedGate(name, create);
    vi.resetModules();
    const again = await import("@creditgate/core");
    expect(again.sharedGate).not.toBe(sharedGate);
    expect(again.sharedGate(name, create)).toBe(gate);
  });

  it("keeps nothing where `create` throws, and tries again", () => {
    const name = freshName();
    const error = new Error("the file is locked");
    const fails = () => {
      throw error;
    };
    expect(() => sharedGate(name, fails)).toThrow(error);
    const gate = sharedGate(name, create);
    expect(sharedGate(name, fails)).toBe(gate);
  });

  it("does not hand out a gate that closes or has closed", async () => {
    const name = freshName();
    const gate = sharedGate(name, create);
    expect(gate.closing).toBe(false);
    const closed = gate.close();
    expect(gate.closing).toBe(true);
    const next = sharedGate(name, create);
    expect(next).not.toBe(gate);
    await closed;
    expect(sharedGate(name, create)).toBe(next);
  });

  it.each([
    ["name", "", create],
    ["create", freshName(), undefined],
  ])("refuses a bad %s", (option, name, make) => {
    expect(() => sharedGate(name, make as () => Gate)).toThrow(`${option}: expected`);
  });
});
