/** Shortens an id to its ends, enough to recognize it: "0199b7c2…a91e". The start of a UUIDv7 is only its time. */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
