/** Says how the navigation is shown. A cookie, so that the server already renders it that way. */
export const NAV_COOKIE = "signalbox.nav";
export type NavState = "wide" | "collapsed";

const YEAR_SECONDS = 31_536_000;

export function navStateOf(cookie: string | undefined): NavState {
  return cookie === "collapsed" ? "collapsed" : "wide";
}

export function rememberNavState(state: NavState): void {
  const secure = window.location.protocol === "https:" ? "; secure" : "";
  // The Cookie Store API exists only over https, and the service may run without it in a private network.
  Object.assign(document, { cookie: `${NAV_COOKIE}=${state}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}` });
}
