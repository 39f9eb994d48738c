/**
 * Where a person may be sent after signing in: a path of this site, or null. `//host` and `/\host` are other sites to
 * a browser, and it drops tabs and line breaks before it reads a URL, so a path that holds any is refused as well.
 */
export function sameSitePath(raw: string | null | undefined): string | null {
  if (!raw || raw.length > 2_000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(raw)) return null;
  const base = "http://same.invalid";
  const url = URL.parse(raw, base);
  if (!url || url.origin !== base || url.pathname.startsWith("//")) return null;
  return url.pathname + url.search + url.hash;
}
