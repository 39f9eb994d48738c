import { afterAll, expect, test } from "vitest";
import { startMailServer } from "#lib/domain/outbound-events/deliveries/receivers.fixture";
import { createMailer } from "#lib/domain/outbound-events/mail/mailer";

const server = await startMailServer();
process.env.SMTP_URL = server.url;
process.env.MAIL_FROM = "Signalbox <signalbox@example.com>";
const mailer = createMailer();
afterAll(async () => {
  mailer?.close();
  await server.close();
});

test("an email of Signalbox goes to one person, and its subject adds no header", async () => {
  for (const subject of [
    "x\r\nBcc: eve@example.org",
    "x\nBcc: eve@example.org",
    "x\rBcc: eve@example.org\r\n\r\nbody",
  ]) {
    await mailer?.send({ to: "ann@example.com", subject, text: "Hello" });
    const mail = server.mails.at(-1);
    expect(mail?.to).toEqual(["ann@example.com"]);
    expect(mail?.text).toContain("\r\nTo: ann@example.com\r\n");
    expect(mail?.text).not.toMatch(/^Bcc/im);
    expect(mail?.text.split("\r\n\r\n")[1]?.trim()).toBe("Hello");
  }
});

test("an address with separators, as an identity provider may send it, is not several", async () => {
  for (const to of [
    "ann@example.com, eve@example.org",
    "Ann <ann@example.com>;eve@example.org",
    "eve@example.org>,<ann@example.com",
  ]) {
    const count = server.mails.length;
    await mailer?.send({ to, subject: "x", text: "Hello" }).catch(() => undefined);
    expect(server.mails.slice(count).every(({ to: recipients }) => recipients.length === 1)).toBe(true);
  }
});
