/** The UTF-16 units of a text as numbers in an array: reading them there is twice as fast as `charCodeAt`, in any script. */
import { endianness } from "node:os";

const swap = endianness() === "BE";
let bytes = Buffer.allocUnsafeSlow(0);
let units = new Uint16Array(0);

/** The units of a text, from index 0 to its length; what comes after them means nothing. Valid until the next call. */
export function unitsOf(text: string): Uint16Array {
  const { length } = text;
  if (units.length < length) {
    bytes = Buffer.allocUnsafeSlow(2 * Math.max(length, 2 * units.length));
    units = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  }
  bytes.write(text, 0, "utf16le");
  if (swap) bytes.subarray(0, 2 * length).swap16();
  return units;
}
