/** A mail server answered, and its answer was no. */
export class MailRefusal extends Error {
  override readonly name = "MailRefusal";
  /** What HTTP would call it. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
