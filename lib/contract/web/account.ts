/** Services whose accounts sign in here, where the operator has registered this installation with them. */
export const SIGN_IN_PROVIDERS = ["github", "google"] as const;
export type SignInProvider = (typeof SIGN_IN_PROVIDERS)[number];

export const SIGN_IN_PROVIDER_NAMES: Record<SignInProvider, string> = { github: "GitHub", google: "Google" };

/** An account of another service that signs its person in here. */
export interface IdentityObject {
  provider: SignInProvider;
  /** The service's own id of the account. */
  subject: string;
  /** What the service had verified when the two were connected. */
  email: string;
  connected_at: string;
  last_used_at: string;
}

/** How a session started. */
export const SESSION_METHODS = ["password", ...SIGN_IN_PROVIDERS] as const;
export type SessionMethod = (typeof SESSION_METHODS)[number];

export interface SessionRow {
  session_id: string;
  /** The one that asks. */
  is_current: boolean;
  method: SessionMethod;
  /** As the browser called itself. */
  user_agent: string;
  address: string;
  signed_in_at: string;
  /** Exact to a few minutes. */
  last_seen_at: string;
}
