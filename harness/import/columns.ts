/** Numbers by the hundred thousand, outside the garbage collector's heap: what a reader has to remember of every line of a long file. */

/** A growing list of 32-bit integers. */
export interface IntColumn {
  readonly length: number;
  push(value: number): void;
  /** The value at an index; 0 beyond the end. */
  at(index: number): number;
  set(index: number, value: number): void;
}

export function intColumn(): IntColumn {
  let values = new Int32Array(1024);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const grown = new Int32Array(2 * values.length);
        grown.set(values);
        values = grown;
      }
      values[length++] = value;
    },
    at: (index) => values[index] ?? 0,
    set(index, value) {
      values[index] = value;
    },
  };
}

/** Numbers for texts, counted from 0 in the order they were first seen. */
export function numbering(): { of(text: string): number; known(text: string): number | undefined } {
  const numbers = new Map<string, number>();
  return {
    of(text) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, numbers.size);
      return numbers.size - 1;
    },
    known: (text) => numbers.get(text),
  };
}
