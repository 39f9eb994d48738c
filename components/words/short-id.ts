/** The ends of an id, enough to recognise it: "0199b7c2…a91e". The beginning of a UUIDv7 is only its time. */
export function shortId(id: string): string {
  return id.length <= 14 ? id : `${id.slice(0, 8)}…${id.slice(-4)}`;
}
