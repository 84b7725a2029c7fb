/** Mints ids that sort by time, as the program's own do: 12 hex digits of milliseconds and a counter. */
export class Minter {
  #count = 0;
  readonly #ms: number;
  constructor(ms: number) {
    this.#ms = ms;
  }
  get time(): number {
    return this.#ms + Math.floor(this.#count / 4_096);
  }
  id(kind: "msg" | "prt"): string {
    const stamp = BigInt.asUintN(48, BigInt(this.#ms) * 4_096n + BigInt(this.#count++));
    return `${kind}_${stamp.toString(16).padStart(12, "0")}${"0".repeat(14)}`;
  }
}
