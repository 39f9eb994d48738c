/** The limits of inbound webhooks, as a part of LIMITS (decisions, Inbound webhooks). */
export const WEBHOOK_LIMITS = {
  /** Fields of a form body: parsing and sanitizing as many takes a millisecond. */
  formFields: 1_000,
  /** A challenge is echoed to a caller that has proved nothing. */
  challengeBytes: 4_096,
  /** PayPal's certificates: the largest is 3 KiB. */
  certificateBytes: 16_384,
  certificatesKept: 20,
  /** At a time, in one process: a caller that has proved nothing names them. */
  certificatesFetched: 4,
} as const;
