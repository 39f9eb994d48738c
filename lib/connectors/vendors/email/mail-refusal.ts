/** Thrown when a mail server responds with a refusal. */
export class MailRefusal extends Error {
  override readonly name = "MailRefusal";
  /** The HTTP status with the same meaning. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
