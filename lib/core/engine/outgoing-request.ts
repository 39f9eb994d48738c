import type { NoteLongNumber } from "#lib/support/exact-json";

/** A request to an external server. */
export interface OutgoingRequest {
  method: string;
  url: string;
  /** Header names are lowercase. */
  headers: Record<string, string>;
  /** Text is sent as UTF-8. */
  body?: string | Uint8Array;
  signal: AbortSignal;
  /** The workspace of the request. Its requests take turns where they could delay those of others. */
  workspaceId?: string;
  /** Parameters of a connection. The client adds them on each hop, if the target may receive them. */
  credentials?: RequestCredentials;
  /**
   * The maximum number of redirects, which must stay on the same host. By default up to five redirects to any host are
   * followed.
   */
  redirectsOnHost?: number;
  /** The size of the response after which the request fails. By default 10 MiB. */
  responseBytes?: number;
  /**
   * Called before each hop, the first one and those of redirects, once the guard allows it. The request fails with what it
   * throws.
   */
  onHop?: (url: URL) => Promise<void>;
  /**
   * Returns what a trace may show of the call besides its server and status, by the names of OpenTelemetry: no part of
   * what was sent or received as text. Only called while calls are traced.
   */
  describe?: (response: OutgoingResponse) => Record<string, string | number>;
  /** Resolves when the process has room for the rest of a large response. By default it has. */
  untilRoom?: () => Promise<void>;
  /**
   * Decides by the status and headers of a response whether it is read to its end, or only until the returned function
   * says that a part, decompressed, completes it: a stream of events may stay open after the one that answers.
   */
  readUntil?: (head: Omit<OutgoingResponse, "body">) => ((part: Buffer) => boolean) | null;
}

/** Signs a request without revealing the credentials. */
export interface RequestCredentials {
  /**
   * The origin that may receive the credentials: `https://api.example.com`, or `https://*.example.com` for any
   * subdomain.
   */
  origins: readonly string[];
  /** Returns the request with the credentials added, to the same origin. */
  sign(request: OutgoingRequest): OutgoingRequest;
}

/** The complete response, with limited size and decompressed. */
export interface OutgoingResponse {
  status: number;
  /** Header names are lowercase; repeated headers are joined with ", ", set-cookie with line breaks. */
  headers: Record<string, string>;
  body: Buffer;
  /** Notes the place of a number in the body that becomes a text, because it would lose digits. */
  onLongNumber?: NoteLongNumber;
}

/**
 * Sends a request, if the guard against server-side request forgery allows it.
 * @throws StepError VALIDATION_ERROR (refused), UPSTREAM_ERROR (no response), or the signal's reason
 */
export type SendRequest = (request: OutgoingRequest) => Promise<OutgoingResponse>;
