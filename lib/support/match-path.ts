/** Returns the parameters of a path that fits a pattern, decoded, or null. */
export type MatchPath = (pathname: string) => Record<string, string> | null;

/** @param pattern for example `/actions/:slug/run`. A segment that starts with a colon matches any text but the empty one. */
export function matchPath(pattern: string): MatchPath {
  const segments = pattern.split("/");
  return (pathname) => {
    const given = pathname.split("/");
    if (given.length !== segments.length) return null;
    const params: Record<string, string> = {};
    for (const [index, segment] of segments.entries()) {
      const text = given[index] ?? "";
      if (!segment.startsWith(":")) {
        if (text !== segment) return null;
      } else if (text === "") return null;
      else params[segment.slice(1)] = decodeURIComponent(text);
    }
    return params;
  };
}
