import { decodeUtf8, encodeUtf8 } from "#lib/platform/sandbox/guest/utf8";

const UTF8_LABELS = ["utf-8", "utf8", "unicode-1-1-utf-8"];

export class TextEncoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array<ArrayBuffer> {
    return encodeUtf8(String(text));
  }
}

/** UTF-8 only. */
export class TextDecoder {
  readonly encoding = "utf-8";
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;

  constructor(label = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    if (!UTF8_LABELS.includes(String(label).trim().toLowerCase())) {
      throw new RangeError(`The "${label}" encoding is not supported; only utf-8 is`);
    }
    this.fatal = Boolean(options.fatal);
    this.ignoreBOM = Boolean(options.ignoreBOM);
  }

  decode(data: ArrayBuffer | ArrayBufferView = new Uint8Array()): string {
    const text = decodeUtf8(bytesOf(data), this.fatal);
    return !this.ignoreBOM && text.startsWith("\ufeff") ? text.slice(1) : text;
  }
}

/** Returns the bytes behind a buffer or a view of one. */
function bytesOf(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (data instanceof Uint8Array) return data;
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  throw new TypeError("Expected an ArrayBuffer or a view of one");
}
