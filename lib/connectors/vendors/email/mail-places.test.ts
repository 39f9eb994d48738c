import addressparser from "nodemailer/lib/addressparser";
import { describe, expect, test } from "vitest";
import { resolveFor } from "#lib/connectors/sdk/call-vendor.fixture";
import { MAIL_PASSWORD, MAIL_USER, startMail } from "#lib/connectors/vendors/email/mail-servers.fixture";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";

const stage = useConnectorStage("email", startMail);
const connect = () => {
  const { imapPort, smtpPort } = stage.vendor;
  return stage.connect("mailbox", {
    user: MAIL_USER,
    password: MAIL_PASSWORD,
    from: "Shop <shop@example.com>",
    imap_host: "127.0.0.1",
    imap_port: String(imapPort),
    imap_security: "none",
    smtp_host: "127.0.0.1",
    smtp_port: String(smtpPort),
    smtp_security: "none",
  });
};

/** Sends a mail whose templates read `v`, and returns what the server got. */
async function sendMail(connection: string, params: JsonObject, v: unknown) {
  const mail = resolveFor("email", "send", { to: "ada@example.com", text: "Hello", ...params }, { v });
  await stage.perform(connection, "send", mail);
  const sent = stage.vendor.sent.at(-1);
  const [head = "", ...body] = (sent?.raw ?? "").split("\r\n\r\n");
  return { to: sent?.to, from: sent?.from, head: head.replace(/\r\n[ \t]/g, " "), body: body.join("\r\n\r\n") };
}

const INJECTIONS = [
  "x\r\nBcc: eve@example.org",
  "x\nBcc: eve@example.org",
  "x\rBcc: eve@example.org",
  "x\r\n\r\n<b>body</b>",
  "x\r\n Bcc: eve@example.org",
  "x\u0000\r\nBcc: eve@example.org",
  "x\u2028Bcc: eve@example.org",
  "x\u0085Bcc: eve@example.org",
];

describe("no value adds a header or a recipient", () => {
  test("in the subject, a name, or a message id", async () => {
    const connection = await connect();
    for (const v of INJECTIONS) {
      for (const params of [
        { subject: "{{v}}" },
        { subject: "Order {{v}}!" },
        { to: "{{v}} <ada@example.com>" },
        { to: '"{{v}}" <ada@example.com>' },
        { from: "{{v}} <shop@example.com>" },
        { reply_to: "{{v}} <ada@example.com>" },
        { in_reply_to: "{{v}}" },
        { references: ["{{v}}"] },
      ]) {
        const { to, from, head, body } = await sendMail(connection, params, v);
        expect([to, from, body.trim()]).toEqual([["ada@example.com"], "shop@example.com", "Hello"]);
        expect(head).not.toMatch(/^(?:Bcc|<b>)/im);
        expect(head).not.toMatch(/[^\x20-\x7e\r\n\t]/);
      }
    }
  });

  test.each(["to", "cc", "bcc", "reply_to", "from"])(
    "%s is refused with the field if a value is several addresses",
    async (field) => {
      const connection = await connect();
      const count = stage.vendor.sent.length;
      for (const v of ["ada@example.com, eve@example.org", "ada@example.com;eve@example.org", ...INJECTIONS]) {
        await expect(sendMail(connection, { [field]: "{{v}}" }, v)).rejects.toMatchObject({
          code: "VALIDATION_ERROR",
          message: `${field}: {{v}} must be one email address. Use a list for several.`,
        });
      }
      expect(stage.vendor.sent).toHaveLength(count);
    },
  );

  test("and params that no field names are not sent", async () => {
    const smuggled = {
      headers: { "X-Injected": "{{v}}" },
      envelope: { from: "{{v}}", to: ["eve@example.org"] },
      raw: "{{v}}",
      alternatives: [{ content: "{{v}}" }],
      icalEvent: { content: "{{v}}" },
      list: { help: "{{v}}" },
      dsn: { id: "{{v}}" },
    };
    const { to, from, head, body } = await sendMail(await connect(), smuggled, "injected@example.org");
    expect([to, from, body.trim()]).toEqual([["ada@example.com"], "shop@example.com", "Hello"]);
    expect(head).not.toMatch(/injected/i);
  });
});

test("no value ends the message and starts another one", async () => {
  const connection = await connect();
  const command = "MAIL FROM:<eve@example.org>\r\nRCPT TO:<eve@example.org>\r\nDATA\r\nSubject: x\r\n\r\nx";
  for (const end of ["\r\n.\r\n", "\n.\n", "\r.\r", "\n.\r\n", "\r\n.\n", "\r\n.\r", "\r\n\u0000.\r\n"]) {
    for (const params of [{ text: "Hi {{v}} bye" }, { html: "<p>Hi {{v}} bye</p>" }, { subject: "Hi {{v}} bye" }]) {
      const count = stage.vendor.sent.length;
      const { to } = await sendMail(connection, params, `a${end}${command}${end}`);
      expect(stage.vendor.sent).toHaveLength(count + 1);
      expect(to).toEqual(["ada@example.com"]);
      // A line break of one character is read in different ways by different servers.
      expect(stage.vendor.sent.at(-1)?.raw).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
    }
  }
});

test("addresses that no mail can reach are refused before anything is sent", async () => {
  const connection = await connect();
  for (const [field, address] of [
    ["to", "ada"],
    ["to", "Ada <>"],
    ["cc", "Ada <ada>"],
    ["bcc", "@example.com"],
    ["reply_to", "x@example.com, y"],
  ] as const) {
    await expect(sendMail(connection, { [field]: address }, null)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(new RegExp(`^${field}: has ".+", which is not an email address$`)),
    });
  }
});

test("the author and a list can name several", async () => {
  const connection = await connect();
  const both = ["ada@example.com", "bob@example.com"];
  expect((await sendMail(connection, { to: "ada@example.com, {{v}}" }, "bob@example.com")).to).toEqual(both);
  expect((await sendMail(connection, { to: "{{v}}" }, both)).to).toEqual(both);
  expect((await sendMail(connection, { to: '{{join(v, ", ")}}' }, both)).to).toEqual(both);
  const received = [
    { name: "Lovelace, Ada", address: "ada@example.com" },
    { name: null, address: "bob@example.com" },
  ];
  const { to, head } = await sendMail(connection, { to: "{{v}}" }, received);
  expect(to).toEqual(both);
  expect(head).toContain('To: "Lovelace, Ada" <ada@example.com>, bob@example.com');
  expect((await sendMail(connection, { to: "Team: ada@example.com, bob@example.com;" }, null)).to).toEqual(both);
});

test("a value in the HTML is text, and a message without special characters is the same as ever", async () => {
  const connection = await connect();
  const html = '<p class="x">Dear {{v}}, &amp; co</p>';
  expect((await sendMail(connection, { html }, "<b>Ada</b> & 'co'")).body).toContain(
    "<p class=\"x\">Dear &lt;b&gt;Ada&lt;/b&gt; &amp; 'co', &amp; co</p>",
  );
  expect((await sendMail(connection, { html }, "Ada Lovelace")).body).toContain(
    '<p class="x">Dear Ada Lovelace, &amp; co</p>',
  );
  expect((await sendMail(connection, { html: "{{raw(v)}}" }, "<b>Ada</b>")).body).toContain("<b>Ada</b>");
  expect((await sendMail(connection, { text: "{{v}}" }, "<b>Ada</b> & co")).body.trim()).toBe("<b>Ada</b> & co");
});

test("a subject that looks like an encoded word is shown as it is", async () => {
  const { head } = await sendMail(await connect(), { subject: "{{v}}" }, "=?utf-8?Q?Invoice_from_your_bank?=");
  expect(head).not.toContain("=?utf-8?Q?Invoice_from_your_bank?=");
});

test("what is written for one address is one address to the mail library", () => {
  const pieces = [
    "a",
    "@",
    ",",
    ";",
    ":",
    "<",
    ">",
    '"',
    "\\",
    "(",
    ")",
    "[",
    "]",
    " ",
    "ada@example.com",
    "x@y.z",
    "é",
    "'",
  ];
  let state = 42;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  let accepted = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const v = Array.from({ length: 1 + random(7) }, () => pieces[random(pieces.length)]).join("");
    for (const template of [
      "{{v}}",
      "{{v}} <ada@example.com>",
      '"{{v}}" <ada@example.com>',
      "<{{v}}>",
      "{{v}}@example.com",
    ]) {
      let to: unknown;
      try {
        ({ to } = resolveFor("email", "send", { to: template }, { v }));
      } catch {
        continue;
      }
      if (typeof to !== "string" || to.trim() === "") continue;
      const parsed = addressparser(to, { flatten: true });
      if (parsed.length !== 1)
        throw new Error(`${JSON.stringify(v)} in ${template} became ${to}: ${JSON.stringify(parsed)}`);
      if (template.endsWith("<ada@example.com>") && parsed[0]?.address !== "ada@example.com") {
        throw new Error(`${JSON.stringify(v)} in ${template} goes to ${parsed[0]?.address}`);
      }
      accepted += 1;
    }
  }
  expect(accepted).toBeGreaterThan(20_000);
});

describe("a search takes a value as a text", () => {
  test("with quotes, wildcards, and words of the language in it", async () => {
    const connection = await connect();
    const subject = "Offer 7 OR ALL (a) {3} * % 'x'";
    const uid = stage.vendor.deliver({ subject });
    stage.vendor.deliver({ subject: "another" });
    const search = async (v: string) => {
      const params = resolveFor("email", "search", { subject: "{{v}}" }, { v });
      return (await stage.perform(connection, "search", params)) as { messages: { uid: number }[] };
    };
    expect((await search(subject)).messages.map((message) => message.uid)).toEqual([uid]);
    for (const v of ['" OR ALL "', '") ALL ("', "NIL", "*", "%", "{0}", "ALL)"]) {
      const found = await search(`never-${v}`);
      expect(found.messages).toEqual([]);
    }
  });

  test.each(["from", "to", "subject", "text", "message_id", "mailbox"])("%s can't end the command", async (field) => {
    const params = resolveFor("email", "search", { [field]: "{{v}}" }, { v: "x\r\nA1 DELETE INBOX" });
    await expect(stage.perform(await connect(), "search", params)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: `${field}: must be one line`,
    });
  });
});
