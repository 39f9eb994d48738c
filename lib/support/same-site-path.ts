/**
 * Returns a path of this site to which a person can be redirected after signing in, or null. Browsers treat `//host`
 * and `/\host` as other sites. They also remove tabs and line breaks before they parse a URL, so a path that contains
 * them is refused as well.
 */
export function sameSitePath(raw: string | null | undefined): string | null {
  if (!raw || raw.length > 2_000 || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(raw)) return null;
  const base = "http://same.invalid";
  const url = URL.parse(raw, base);
  if (!url || url.origin !== base || url.pathname.startsWith("//")) return null;
  return url.pathname + url.search + url.hash;
}
