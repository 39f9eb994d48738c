const HEX = /^[0-9a-f]+$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** @returns an empty list for a text that is not in the encoding: a lenient decoder would make other signatures equal */
export function decodeBytes(text: string, encoding: "hex" | "base64"): Buffer[] {
  const digits = text.replace(/=+$/, "").length;
  const isWhole = encoding === "hex" ? HEX.test(text) && digits % 2 === 0 : BASE64.test(text) && digits % 4 !== 1;
  return isWhole ? [Buffer.from(text, encoding)] : [];
}
