/** A request to somebody else's server. */
export interface OutgoingRequest {
  method: string;
  url: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
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
