import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";

/**
 * The connection to a mail server, below TLS if there is TLS. The libraries that speak to the server read through it,
 * and it decides how much they read: at most `maxBytes` in total, and one piece in each turn of the event loop. IMAP has
 * no other bound. A literal, a line and a list may be as long as the server likes, and a library that is given 64 KiB of
 * short lines parses all of them before anyone else gets a turn.
 */
export class MailSocket extends Duplex {
  /** Rejects when the call must end, whatever the library that uses the socket waits for. */
  readonly failed: Promise<never>;
  readonly #socket: Socket;
  readonly #maxBytes: number;
  readonly #reject: (error: unknown) => void;
  #isWanted = false;
  #isScheduled = false;
  #received = 0;
  #untilRoom: (() => Promise<void>) | undefined;

  /** @param untilRoom waits until the process has room for the rest of a large answer */
  constructor(socket: Socket, maxBytes: number, untilRoom?: () => Promise<void>) {
    super({ readableHighWaterMark: LIMITS.mailPieceBytes });
    const { promise, reject } = Promise.withResolvers<never>();
    // A connection that ends well leaves the promise pending, and one that fails may have no reader left.
    promise.catch(() => {});
    this.failed = promise;
    this.#reject = reject;
    this.#socket = socket;
    this.#maxBytes = maxBytes;
    this.#untilRoom = untilRoom;
    socket.on("readable", () => this.#schedule());
    socket.on("end", () => this.push(null));
    socket.on("timeout", () => this.emit("timeout"));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  /** Ends the connection and the call that uses it. */
  fail(error: unknown): void {
    this.#reject(error);
    this.destroy();
  }

  /** Emits `timeout` when the connection was silent for this long. */
  setTimeout(milliseconds: number): this {
    this.#socket.setTimeout(milliseconds);
    return this;
  }

  override _read(): void {
    this.#isWanted = true;
    this.#schedule();
  }

  /** Passes a piece in the next turn. There is one such turn at a time: with two, a turn would get two pieces. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#pass();
    });
  }

  #pass(): void {
    if (this.destroyed || !this.#isWanted) return;
    const piece: Buffer | null = this.#socket.read(Math.min(this.#socket.readableLength, LIMITS.mailPieceBytes));
    if (!piece) return;
    this.#isWanted = false;
    this.#received += piece.byteLength;
    if (this.#received > this.#maxBytes) {
      const most = `${this.#maxBytes / 1_024} KiB`;
      this.fail(new StepError("data_too_large", `The mail server sent more than ${most} in one call`));
    } else if (this.#received > LIMITS.largeResponseBytes && this.#untilRoom) {
      this.#untilRoom().then(
        () => this.#continue(piece),
        (error) => this.fail(error),
      );
      this.#untilRoom = undefined;
    } else {
      this.push(piece);
    }
  }

  #continue(piece: Buffer): void {
    if (!this.destroyed) this.push(piece);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
