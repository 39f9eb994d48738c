/**
 * Shortens an id to its end: "…02d7a91e". A UUIDv7 starts with its time, which runs of the same minute share; its end is
 * random.
 */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `…${id.slice(-8)}`;
}
