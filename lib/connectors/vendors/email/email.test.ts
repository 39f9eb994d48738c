import { describe, expect, it, test } from "vitest";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { EMAIL_OPTIONS } from "#lib/connectors/vendors/email/connector";
import { readImapFailure } from "#lib/connectors/vendors/email/mail-client";
import { MAIL_PASSWORD, MAIL_USER, RICH_MAIL, startMail } from "#lib/connectors/vendors/email/mail-servers.fixture";
import { EMAIL_TRIGGERS } from "#lib/connectors/vendors/email/triggers";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";

const stage = useConnectorStage("email", startMail);

function fields(more: Record<string, string> = {}): Record<string, string> {
  const { imapPort, smtpPort } = stage.vendor;
  return {
    user: MAIL_USER,
    password: MAIL_PASSWORD,
    imap_host: "127.0.0.1",
    imap_port: String(imapPort),
    imap_security: "none",
    smtp_host: "127.0.0.1",
    smtp_port: String(smtpPort),
    smtp_security: "none",
    ...more,
  };
}
const connect = (more?: Record<string, string>) => stage.connect("mailbox", fields(more));

const poll = EMAIL_TRIGGERS.new_email?.poll;

describe("new_email", () => {
  test("starts a workflow once for each message that arrives after activation, and leaves the message unread", async () => {
    stage.vendor.deliver({ subject: "before" });
    const connection = await connect();
    const trigger = await stage.listenTo(connection, "new_email");
    await stage.work();
    expect(await stage.listeningOf(trigger)).toMatchObject({ status: "active", mode: "polling", error: null });
    const uids = Array.from({ length: 11 }, (_, index) => stage.vendor.deliver({ subject: `new ${index}` }));
    await stage.work({ isSoon: true });
    await stage.work({ isSoon: true });
    const outputs = await stage.outputsOf(trigger);
    expect(outputs.map(({ id }) => id)).toEqual(uids.map((uid) => `1/${uid}/INBOX`));
    expect(outputs[0]).toMatchObject({
      event: "new_email",
      occurred_at: expect.stringMatching(/Z$/),
      connector: "email",
      connection_id: connection,
      data: { subject: "new 0", text: "This is new 0." },
    });
    expect(stage.vendor.folder("INBOX").messages.flatMap(({ flags }) => flags)).not.toContain("\\Seen");
  });

  test("returns sender, recipients, thread, text in any charset, and attachments", async () => {
    const service = await stage.serve(await connect());
    const begun = await poll?.list(service, { cursor: null, params: {} });
    const uid = stage.vendor.deliver({ subject: "", raw: RICH_MAIL });
    const read = await poll?.list(service, { cursor: begun?.cursor ?? null, params: {} });
    expect(read?.events.map(({ data }) => data)).toEqual([
      {
        mailbox: "INBOX",
        uid,
        uidvalidity: "1",
        message_id: "<rich@example.com>",
        in_reply_to: "<before@example.com>",
        references: ["<first@example.com>", "<before@example.com>"],
        subject: "Grüße",
        from: [{ name: "Ада", address: "ada@example.com" }],
        to: [
          { name: null, address: "sales@example.com" },
          { name: "Bob", address: "bob@example.com" },
        ],
        cc: [{ name: null, address: "cc@example.com" }],
        reply_to: [{ name: null, address: "replies@example.com" }],
        date: "2026-01-05T10:00:00.000Z",
        received_at: expect.stringMatching(/Z$/),
        is_read: false,
        is_flagged: false,
        size: expect.any(Number),
        attachments: [{ part: "2", filename: "offer.pdf", content_type: "application/pdf", size: expect.any(Number) }],
        text: "Привет",
        html: "<p>Grüße</p>",
        is_truncated: false,
      },
    ]);
  });

  test("a recreated folder delivers what arrived since, and nothing twice", async () => {
    const service = await stage.serve(await connect());
    const params = { mailbox: "Archive" };
    const archive = stage.vendor.folder("Archive");
    const begun = await poll?.list(service, { cursor: null, params });
    stage.vendor.deliver({ subject: "known", folder: "Archive", receivedAt: new Date("2026-02-01T10:00:00Z") });
    const known = await poll?.list(service, { cursor: begun?.cursor ?? null, params });
    expect(known?.events.map(({ data }) => data.subject)).toEqual(["known"]);
    archive.uidvalidity = 77;
    stage.vendor.deliver({ subject: "later", folder: "Archive", receivedAt: new Date("2026-02-01T10:00:01Z") });
    const anew = await poll?.list(service, { cursor: known?.cursor ?? null, params });
    expect(anew?.events.map(({ data }) => data.subject)).toEqual(["later"]);
    const again = await poll?.list(service, { cursor: anew?.cursor ?? null, params });
    expect(again?.events).toEqual([]);
  });
});

describe("operations", () => {
  it("send a message, and send the same message id again when a step is retried with an unknown outcome", async () => {
    const connection = await connect({ from: "Ada <ada@example.com>" });
    const mail = {
      to: "Grace <grace@example.com>, bob@example.com",
      cc: ["cc@example.com"],
      bcc: "hidden@example.com",
      reply_to: "replies@example.com",
      subject: "Grüße\r\nX-Injected: yes",
      text: "Hello",
      html: "<p>Hello</p>",
      in_reply_to: "<before@example.com>",
    };
    const first = await stage.perform(connection, "send", mail);
    expect(first).toMatchObject({
      message_id: expect.stringMatching(/^<[0-9a-f]{32}@example\.com>$/),
      accepted: ["grace@example.com", "bob@example.com", "cc@example.com", "hidden@example.com"],
      rejected: [],
    });
    expect(await stage.perform(connection, "send", mail)).toMatchObject({ message_id: (first as Sent).message_id });
    const [sent] = stage.vendor.sent;
    expect(sent).toMatchObject({ from: "ada@example.com", to: expect.arrayContaining(["hidden@example.com"]) });
    expect(sent?.raw).toMatch(/^From: Ada <ada@example.com>\r$/m);
    expect(sent?.raw).toMatch(/^In-Reply-To: <before@example.com>\r$/m);
    expect(sent?.raw).not.toMatch(/hidden@|^X-Injected/m);
  });

  it("find, read, mark, move and delete messages", async () => {
    const connection = await connect();
    const { uid } = { uid: stage.vendor.deliver({ subject: "Invoice 17" }) };
    const found = await stage.perform(connection, "search", {
      subject: "Invoice 17",
      since: "2026-01-01",
      is_read: false,
    });
    expect(found).toMatchObject({ messages: [{ uid, message_id: "<Invoice-17@example.com>" }], has_more: false });
    expect(await stage.perform(connection, "get", { uid })).toMatchObject({
      text: "This is Invoice 17.",
      is_read: false,
    });
    expect(await stage.perform(connection, "mark_read", { uid })).toEqual({ mailbox: "INBOX", uid });
    expect(await stage.perform(connection, "get", { uid })).toMatchObject({ is_read: true });
    await stage.perform(connection, "mark_unread", { uid });
    expect(await stage.perform(connection, "get", { uid })).toMatchObject({ is_read: false });
    const moved = (await stage.perform(connection, "move", { uid, to: "Archive" })) as { uid: number };
    expect(moved).toEqual({ mailbox: "Archive", uid: expect.any(Number) });
    const gone = await stage.perform(connection, "delete", { mailbox: "Archive", uid: moved.uid });
    expect(gone).toMatchObject({ mailbox: "Trash" });
    const inTrash = { mailbox: "Trash", uid: (gone as { uid: number }).uid };
    expect(await stage.perform(connection, "delete", inTrash)).toEqual({ mailbox: null, uid: null });
    expect(stage.vendor.folder("Trash").messages).toEqual([]);
    expect(await stage.perform(connection, "list_folders")).toMatchObject({
      folders: [{ path: "INBOX" }, { path: "Archive" }, { path: "Trash", use: "\\Trash" }],
    });
  });

  it("offer the folders to choose from", async () => {
    const service = await stage.serve(await connect());
    const { options } = (await EMAIL_OPTIONS.folders?.(service, { params: {}, query: "", cursor: null })) ?? {};
    expect(options).toContainEqual({ value: "Trash", label: "Trash", hint: "Trash" });
    expect(options?.map(({ label }) => label)).toEqual(["INBOX", "Archive", "Trash"]);
  });

  it("page through a folder, newest first", async () => {
    const connection = await connect();
    for (const subject of ["page a", "page b", "page c"]) stage.vendor.deliver({ subject });
    const first = (await stage.perform(connection, "search", { subject: "page", limit: 2 })) as Found;
    expect(first).toMatchObject({ messages: [{ subject: "page c" }, { subject: "page b" }], has_more: true });
    const before_uid = first.messages[1]?.uid ?? 0;
    const second = await stage.perform(connection, "search", { subject: "page", limit: 2, before_uid });
    expect(second).toMatchObject({ messages: [{ subject: "page a" }], has_more: false });
    const all = await stage.perform(connection, "search", { subject: "page", limit: 1, max_items: 1_000 });
    const subjects = [{ subject: "page c" }, { subject: "page b" }, { subject: "page a" }];
    expect(all).toMatchObject({ messages: subjects, has_more: false });
  });

  it("reject invalid input", async () => {
    const connection = await connect();
    const refusals: [string, Record<string, unknown>, RegExp][] = [
      ["get", { uid: 9_999 }, /There is no message 9999 in INBOX/],
      ["get", { uid: 1, mailbox: "Nowhere" }, /The folder does not exist|Invalid mailbox name/],
      ["mark_read", { uid: 9_999 }, /There is no message 9999/],
      ["send", { to: "", text: "x" }, /^to: is required/],
      ["send", { to: "a@example.com" }, /^text: is required/],
      [
        "send",
        { to: "a@example.com", text: "x", attachments: ["https://example.com/a"] },
        /^attachments: can't be sent/,
      ],
    ];
    for (const [operation, params, message] of refusals) {
      const error = { code: "VALIDATION_ERROR", message: expect.stringMatching(message) };
      await expect(stage.perform(connection, operation, params as never)).rejects.toMatchObject(error);
    }
    stage.vendor.refused.set("nobody@example.com", { responseCode: 550, message: "No such user here" });
    stage.vendor.refused.set("later@example.com", { responseCode: 451, message: "Greylisted" });
    const send = (to: string) => stage.perform(connection, "send", { to, text: "x" });
    await expect(send("nobody@example.com")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: /No such user/,
    });
    await expect(send("later@example.com")).rejects.toMatchObject({ code: "UPSTREAM_ERROR", message: /Greylisted/ });
  });
});

interface Sent {
  message_id: string;
}
interface Found {
  messages: { uid: number }[];
}

describe("a connection", () => {
  it("is rejected by either server when the password is wrong", async () => {
    await expect(connect({ password: "wrong-password" })).rejects.toMatchObject({ code: "CONNECTION_TEST_FAILED" });
    const sending = connect({ smtp_password: "wrong-password" });
    await expect(sending).rejects.toThrow(/401: .*535 Authentication credentials invalid/);
  });

  it("may have only one server, and the error names the missing one", async () => {
    const reading = await stage.connect("mailbox", { ...fields(), smtp_host: "" });
    const sending = stage.perform(reading, "send", { to: "a@example.com", text: "x" });
    await expect(sending).rejects.toThrow("the connection has no SMTP server");
    await expect(connect({ imap_host: "", smtp_host: "" })).rejects.toThrow("Enter an IMAP server");
  });

  it("sends no password to a server with an untrusted certificate or without the required encryption", async () => {
    const port = String(stage.vendor.untrustedPort);
    const certificate = /certificate of 127\.0\.0\.1:\d+ (?:is not trusted|has expired)/;
    await expect(connect({ imap_port: port, imap_security: "tls" })).rejects.toThrow(certificate);
    const sending = { imap_host: "", smtp_port: port, smtp_security: "tls" };
    await expect(connect(sending)).rejects.toThrow(certificate);
    await expect(connect({ imap_security: "starttls" })).rejects.toThrow(/STARTTLS/);
    await expect(connect({ imap_host: "", smtp_security: "starttls" })).rejects.toThrow(/STARTTLS|5\d\d/);
  });

  it("reaches only servers that the outbound policy allows, whatever their name", async () => {
    await expect(connect({ imap_host: "10.0.0.1" })).rejects.toThrow(/10\.0\.0\.1 is not a public address/);
    const { send, close } = createOutgoingClient(parseOutboundAllow(""));
    for (const scheme of ["imap-plain", "smtp-plain"]) {
      const origin = `${scheme}://localhost:${stage.vendor.imapPort}`;
      const request = { method: "POST", url: `${origin}/check`, headers: {}, signal: AbortSignal.timeout(5_000) };
      const credentials = { origins: [origin], sign: (signed: OutgoingRequest) => signed };
      await expect(send({ ...request, credentials })).rejects.toThrow(/localhost \(.*\) is not a public address/);
      // Only a connection that names the server can call it.
      await expect(send(request)).rejects.toThrow("only http and https are supported");
      const elsewhere = { ...credentials, origins: ["https://example.com"] };
      await expect(send({ ...request, credentials: elsewhere })).rejects.toThrow("only http and https are supported");
    }
    await close();
  });
});

it.each([
  [{ authenticationFailed: true, serverResponseCode: "AUTHENTICATIONFAILED" }, 401],
  [{ authenticationFailed: true, serverResponseCode: "UNAVAILABLE" }, 503],
  [{ responseStatus: "NO", serverResponseCode: "NONEXISTENT" }, 404],
  [{ responseStatus: "NO", mailboxMissing: true }, 404],
  [{ responseStatus: "NO", serverResponseCode: "LIMIT" }, 429],
  [{ code: "ETHROTTLE" }, 429],
  [{ responseStatus: "BAD", responseText: "What?" }, 400],
  [{ code: "ECONNRESET" }, undefined],
])("maps the IMAP refusal %j to %s", (facts, status) => {
  expect(readImapFailure(Object.assign(new Error("Command failed"), facts))?.status).toBe(status);
});
