import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { sendForever, speakImap, startHostileServer } from "#lib/connectors/vendors/email/hostile-mail-server.fixture";
import { MailSocket } from "#lib/connectors/vendors/email/mail-socket";
import { LIMITS } from "#lib/contract/limits";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) await close();
});

interface Call {
  /** `imap-plain`, `imaps` and the like. */
  scheme: string;
  command?: string;
  params?: object;
  signal?: AbortSignal;
}

/** Calls a server that speaks like this. `received` counts what the server could send. */
async function call(
  speak: (socket: Socket) => Promise<unknown>,
  { scheme, command = "folders", params = {}, signal = new AbortController().signal }: Call,
) {
  const sockets: Socket[] = [];
  const server = await startHostileServer((socket) => {
    sockets.push(socket);
    return speak(socket);
  });
  const { send, close } = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
  closing.push(server.close, close);
  const origin = `${scheme}://127.0.0.1:${server.port}`;
  const authorization = `Basic ${Buffer.from("ada:secret").toString("base64")}`;
  const credentials = {
    origins: [origin],
    sign: (request: OutgoingRequest) => ({ ...request, headers: { authorization } }),
  };
  const url = `${origin}/${command}`;
  const answer = send({ method: "POST", url, headers: {}, body: JSON.stringify(params), signal, credentials });
  return { answer, sent: () => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0) };
}

const MAIL = { from: "ada@example.com", to: ["grace@example.com"], subject: "Hello", text: "Hello" };
const X = "x".repeat(65_536);

const during = (command: string, start: string, rest: string) => (socket: Socket) =>
  speakImap(socket, (line) => (line.startsWith(command) ? sendForever(socket, start, rest) : null));

const bytes = /^The mail server sent more than \d+ KiB in one call$/;
const line = /^The mail server's response: Line length \d+ exceeds maximum allowed size of 4194304 bytes$/;
const values = /^The mail server's response: Response has more than 50000 tokens$/;

describe("a call ends at a limit, which the error names, if a mail server never ends", () => {
  const imap = { scheme: "imap-plain" };
  const smtp = { scheme: "smtp-plain", command: "send", params: MAIL };
  test.each<[string, Call, (socket: Socket) => Promise<unknown>, RegExp]>([
    ["greetings of IMAP", imap, (socket) => sendForever(socket, "", "* OK hello\r\n".repeat(5_000)), bytes],
    ["a line", imap, during("LIST", "* OK ", X), line],
    ["a line before STARTTLS", { scheme: "imap" }, (socket) => sendForever(socket, "* OK ", X), line],
    ["a literal", imap, during("LIST", "* LIST () {1000000000}\r\n", X), bytes],
    ["a list of folders", imap, during("LIST", "", '* LIST () "/" "INBOX"\r\n'.repeat(3_000)), bytes],
    ["matches", { ...imap, command: "search" }, during("UID SEARCH", "", `* SEARCH ${"1 ".repeat(9_000)}\r\n`), bytes],
    ["new messages", { ...imap, command: "new" }, during("EXAMINE", "", "* 1 EXISTS\r\n".repeat(5_000)), bytes],
    ["values of a response", imap, during("LIST", "", `* LIST (${"a ".repeat(60_000)})\r\n`), values],
    ["a greeting of SMTP", smtp, (socket) => sendForever(socket, "", "220-hello\r\n".repeat(5_000)), bytes],
    ["a line of SMTP", smtp, (socket) => sendForever(socket, "220 ", X), bytes],
  ])("%s", async (_what, request, speak, message) => {
    const { answer, sent } = await call(speak, request);
    const error = { code: "VALIDATION_ERROR", reason: "data_too_large", message: expect.stringMatching(message) };
    await expect(answer).rejects.toMatchObject(error);
    // What the buffers of both sockets hold was sent, and no one read it.
    expect(sent()).toBeLessThan(LIMITS.imapCallBytes + 16 * 1_048_576);
  });
});

describe("a call ends within its time", () => {
  /** Sends a byte, and then lets the time of the call pass, as if bytes had arrived all the time. */
  async function dripThrough(socket: Socket): Promise<void> {
    socket.write("*");
    await vi.advanceTimersByTimeAsync(LIMITS.mailCallMs);
  }

  test("if an IMAP server sends a byte now and then", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const speak = (socket: Socket) =>
      speakImap(socket, (line) => (line.startsWith("LIST") ? dripThrough(socket) : null));
    const { answer } = await call(speak, { scheme: "imap-plain" });
    await expect(answer).rejects.toMatchObject({
      code: "TIMEOUT",
      reason: "service_timeout",
      message: "The mail server did not finish within 25 s",
    });
  });

  test("when the step ends, whatever the server sends", async () => {
    const step = new AbortController();
    const ended = new Error("the step ended");
    const end = async () => step.abort(ended);
    const imap = (socket: Socket) => speakImap(socket, (line) => (line.startsWith("LIST") ? end() : null));
    const { answer } = await call(imap, { scheme: "imap-plain", signal: step.signal });
    await expect(answer).rejects.toBe(ended);
    const smtp = await call(end, { scheme: "smtp-plain", command: "check", signal: step.signal }).catch(() => null);
    await expect(smtp?.answer).rejects.toBe(ended);
  });

  test("with its result, if the server never answers the goodbye", async () => {
    const silent = new Promise(() => {});
    const speak = (socket: Socket) => speakImap(socket, (line) => (line === "LOGOUT" ? silent : null));
    const { answer } = await call(speak, { scheme: "imap-plain" });
    expect(JSON.parse(String((await answer).body))).toMatchObject({ folders: [{ path: "INBOX" }] });
  });
});

/** Sends four pieces in every turn, so that the client's socket is readable again and again. */
async function sendInEveryTurn(socket: Socket): Promise<void> {
  socket.resume();
  while (!socket.destroyed) {
    socket.write("x".repeat(4 * LIMITS.mailPieceBytes));
    await new Promise(setImmediate);
  }
}

test.each<[string, (socket: Socket) => Promise<void>]>([
  ["as much as fits", (socket) => sendForever(socket, "", X)],
  ["a little in every turn", sendInEveryTurn],
])(
  "a process reads one small piece of a mail server that sends %s, then lets other work have its turn",
  async (_, speak) => {
    const piece = LIMITS.mailPieceBytes;
    const server = await startHostileServer(speak);
    closing.push(server.close);
    const socket = connect(server.port, "127.0.0.1");
    const mail = new MailSocket(socket, 64 * piece);
    let inTurn = 0;
    let most = 0;
    mail.on("data", (chunk: Buffer) => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0));
      inTurn += chunk.byteLength;
      most = Math.max(most, inTurn);
    });
    await expect(mail.failed).rejects.toMatchObject({ reason: "data_too_large" });
    expect(most).toBeLessThanOrEqual(piece);
  },
);

test("the rest of a large answer waits until the process has room for it", async () => {
  const server = await startHostileServer((socket) => sendForever(socket, "", X));
  closing.push(server.close);
  let read = 0;
  let makeRoom = () => {};
  const untilRoom = () => new Promise<void>((resolve) => (makeRoom = resolve));
  const mail = new MailSocket(connect(server.port, "127.0.0.1"), 2 * LIMITS.largeResponseBytes, untilRoom);
  const isAsked = new Promise<void>((resolve) => {
    mail.on("data", (chunk: Buffer) => {
      read += chunk.byteLength;
      if (read + LIMITS.mailPieceBytes > LIMITS.largeResponseBytes) setTimeout(resolve, 0);
    });
  });
  await isAsked;
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  expect(read).toBeLessThanOrEqual(LIMITS.largeResponseBytes);
  makeRoom();
  await expect(mail.failed).rejects.toMatchObject({ reason: "data_too_large" });
  expect(read).toBeGreaterThan(LIMITS.largeResponseBytes);
});
