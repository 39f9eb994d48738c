/** Characters of one call: a function takes a limited number of arguments. */
const CHUNK = 8_192;

/** Compresses a text with gzip and returns it as base64. */
export async function compressText(text: string): Promise<string> {
  const { readable, writable } = new CompressionStream("gzip");
  const writer = writable.getWriter();
  // The reader below reports a failure of either.
  void writer.write(new TextEncoder().encode(text)).catch(() => undefined);
  void writer.close().catch(() => undefined);
  const bytes = new Uint8Array(await new Response(readable).arrayBuffer());
  let characters = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    characters += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(characters);
}
