import { describe, expect, it, vi } from "vitest";
import { InterruptedError } from "../harness/errors.ts";
import { catchInterrupts } from "./interrupts.ts";

describe("Ctrl-C", () => {
  it("is an interruption for whatever waits on its signal, and no error of its own", () => {
    const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { signal, release } = catchInterrupts();
    process.emit("SIGINT");
    release();
    expect(stderr.mock.calls.flat().join("")).toContain("Press Ctrl-C again");
    stderr.mockRestore();
    expect(() => signal.throwIfAborted()).toThrow(InterruptedError);
  });
});
