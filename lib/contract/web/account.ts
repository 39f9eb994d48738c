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

export interface SessionRow {
  session_id: string;
  /** The one that asks. */
  is_current: boolean;
  method: "password" | SignInProvider;
  /** As the browser called itself. */
  user_agent: string;
  address: string;
  signed_in_at: string;
  /** Exact to a few minutes. */
  last_seen_at: string;
}

/** The operations of one's own account, which belongs to no workspace. */
export interface AccountOperations {
  update_account: { input: { name: string }; output: { user_id: string; name: string; email: string } };
  /** Ends every session of the person, this one too: sign in with the new password. */
  change_password: { input: { current_password?: string; new_password: string }; output: { changed: true } };
  sign_out_everywhere: { input: Record<string, never>; output: { signed_out: true } };
  /** How the person signs in. */
  get_sign_in_methods: {
    input: Record<string, never>;
    output: { has_password: boolean; providers: SignInProvider[]; identities: IdentityObject[] };
  };
  remove_identity: { input: { provider: SignInProvider; subject: string }; output: { removed: true } };
  list_sessions: { input: Record<string, never>; output: { data: SessionRow[] } };
  /** Without an id: all but the one that asks. */
  end_sessions: { input: { session_id?: string }; output: { ended: number } };
}
