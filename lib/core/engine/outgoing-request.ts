/** A request to somebody else's server. */
export interface OutgoingRequest {
  method: string;
  url: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  /** Of a connection. The client puts them in, hop by hop, where they may go. */
  credentials?: RequestCredentials;
  /** How often it may be redirected, and only to the same host; without it five times and anywhere. */
  redirectsOnHost?: number;
}

/** What signs a request, without saying with what. */
export interface RequestCredentials {
  /** Where the credentials may go: `https://api.example.com`, or `https://*.example.com` for any subdomain. */
  origins: readonly string[];
  /** The request with the credentials in it, to the same origin. */
  sign(request: OutgoingRequest): OutgoingRequest;
}

/** The answer, whole: bounded and decompressed. */
export interface OutgoingResponse {
  status: number;
  /** Lower-case names; repeated ones joined by ", ". */
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Sends a request where the guard against server-side request forgery lets it go.
 * @throws StepError VALIDATION_ERROR (refused), UPSTREAM_ERROR (no answer), or the signal's reason
 */
export type SendRequest = (request: OutgoingRequest) => Promise<OutgoingResponse>;
