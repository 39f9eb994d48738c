interface TwoStepErrand {
  /** The workspace that requires two-step verification; defaults to the one in which pages open. */
  workspaceId?: string | null;
  /** The page to open afterwards. */
  returnTo?: string | null;
}

/** Returns the path of the page where a person sets up the two-step verification that a workspace requires. */
export function twoStepPath({ workspaceId = null, returnTo = null }: TwoStepErrand): string {
  const query = new URLSearchParams();
  if (workspaceId !== null) query.set("workspace", workspaceId);
  if (returnTo !== null) query.set("callbackUrl", returnTo);
  return query.size === 0 ? "/two-step" : `/two-step?${query}`;
}
