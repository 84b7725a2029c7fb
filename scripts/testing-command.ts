/** For tests of commands: what one prints and with which code it ends, in this process. */
import { vi } from "vitest";
import { main } from "./main.ts";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs something that prints and ends with an exit code; stdout and stderr are kept from the terminal. */
export async function ended(work: () => Promise<number>): Promise<Ended> {
  const texts = { out: "", err: "" };
  const into = (name: "out" | "err") => (text: string | Uint8Array) => {
    texts[name] += text.toString();
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(into("out"));
  vi.spyOn(process.stderr, "write").mockImplementation(into("err"));
  try {
    return { code: await work(), ...texts };
  } finally {
    vi.restoreAllMocks();
    process.exitCode = 0;
  }
}

/** Runs `closed-book` with these arguments. */
export const closedBook = (...argv: readonly string[]): Promise<Ended> => ended(() => main(argv));
