export interface ClosedErrand {
  /** The workspace that is closed to the person; defaults to the one in which pages open. */
  workspaceId?: string | null;
  /** The page to open afterwards. */
  returnTo?: string | null;
}

/** Returns the path of a page that helps with what a workspace requires. */
export function closedPath(page: string, { workspaceId = null, returnTo = null }: ClosedErrand): string {
  const query = new URLSearchParams();
  if (workspaceId !== null) query.set("workspace", workspaceId);
  if (returnTo !== null) query.set("callbackUrl", returnTo);
  return query.size === 0 ? page : `${page}?${query}`;
}

/** Returns the path of the page where a person signs in through the provider that a workspace requires. */
export function ssoPath(errand: ClosedErrand): string {
  return closedPath("/sso", errand);
}
