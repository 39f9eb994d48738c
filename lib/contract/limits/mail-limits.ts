/** What one call of a mail server may take. Part of `LIMITS`. */
export const MAIL_LIMITS = {
  /** decisions, Connectors: one call of a mail server. It ends before the step does, so that the step can say why. */
  mailCallMs: 25_000,
  /**
   * decisions, Connectors: what a mail server may send in one call. Ten messages with 200 KB of text and 200 KB of HTML
   * each, as a poll reads them, are 6 MB in base64. SMTP servers only send status lines.
   */
  imapCallBytes: 10_485_760,
  smtpCallBytes: 262_144,
  /** decisions, Connectors: one line of an IMAP server. The largest lists the matches of a search, 500,000 in 4 MiB. */
  imapLineBytes: 4_194_304,
  /** decisions, Connectors: values in one IMAP response. A message with 1,000 attachments has 20,000. */
  imapResponseTokens: 50_000,
  /** decisions, Connectors: what one turn of the event loop reads of a mail server. 4 KiB are up to 200 lines. */
  mailPieceBytes: 4_096,
} as const;
