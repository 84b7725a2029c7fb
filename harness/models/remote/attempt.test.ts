import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deadlines } from "./attempt.ts";

describe("deadlines", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  const started = () => {
    const expired = vi.fn<(waitedMs: number) => void>();
    return { expired, ...deadlines({ firstByteMs: 300, gapMs: 100 }, expired) };
  };

  it("wait for the first byte once", () => {
    const { expired } = started();
    vi.advanceTimersByTime(299);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(expired.mock.calls).toEqual([[300]]);
  });

  it("wait for each later chunk anew, however long the whole takes", () => {
    const { expired, arrived } = started();
    for (let chunk = 0; chunk < 50; chunk++) {
      arrived();
      vi.advanceTimersByTime(99);
    }
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(expired.mock.calls).toEqual([[100]]);
  });

  it("leave no timer behind", () => {
    const { end, arrived } = started();
    arrived();
    end();
    expect(vi.getTimerCount()).toBe(0);
  });
});
