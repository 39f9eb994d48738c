import { describe, expect, test } from "vitest";
import { EMAIL_CONNECTOR } from "#lib/connectors/vendors/email/connector";
import { MAIL_APPLICATION, MAIL_USER, startMail } from "#lib/connectors/vendors/email/mail-servers.fixture";
import { finishAuthorization } from "#lib/domain/connections/oauth/finish-authorization";
import { startAuthorization } from "#lib/domain/connections/oauth/start-authorization";
import { takeAuthorization } from "#lib/domain/connections/oauth/take-authorization";
import { TEST_ACTOR } from "#lib/domain/keys/key.fixture";
import { useConnectorStage } from "#lib/domain/triggers/listeners/connector-stage.fixture";
import { tablesWith } from "#lib/platform/db/find-text.fixture";

const stage = useConnectorStage("email", startMail);

/** A user signs in at the provider; the mail servers are those of the test. */
async function signIn(auth: string): Promise<{ id: string; asked: URL }> {
  const { workspaceId, userId } = stage.workspace;
  const { imapPort, smtpPort } = stage.vendor;
  const fields = {
    user: MAIL_USER,
    client_id: MAIL_APPLICATION.id,
    client_secret: MAIL_APPLICATION.secret,
    imap_host: "127.0.0.1",
    imap_port: String(imapPort),
    imap_security: "none",
    smtp_host: "127.0.0.1",
    smtp_port: String(smtpPort),
    smtp_security: "none",
  };
  const target = { connector: "email", auth, name: "Mailbox", fields };
  const { authorize_url: url } = await startAuthorization({ workspaceId, userId, target, returnTo: "/connections" });
  const asked = new URL(url);
  const query = new URLSearchParams({ code: "c", state: asked.searchParams.get("state") ?? "" });
  const begun = (await takeAuthorization(userId, query.get("state") ?? "")) ?? expect.fail("nothing was started");
  const finished = await finishAuthorization({ begun, userId, actor: TEST_ACTOR, query });
  return { id: finished.outcome === "connected" ? finished.connectionId : expect.fail(finished.reason), asked };
}

describe.each([
  [
    "microsoft_365",
    "/common/oauth2/v2.0/authorize",
    "offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send",
    ["outlook.office365.com", "993", "tls", "smtp.office365.com", "587", "starttls"],
  ],
  [
    "gmail",
    "/o/oauth2/v2/auth",
    "https://mail.google.com/",
    ["imap.gmail.com", "993", "tls", "smtp.gmail.com", "465", "tls"],
  ],
])("a mailbox of %s", (auth, path, scope, servers) => {
  test("is signed in to, read and written with an access token, which is renewed when it is refused", async () => {
    const { id, asked } = await signIn(auth);
    expect([asked.pathname, asked.searchParams.get("scope")]).toEqual([path, scope]);
    stage.vendor.deliver({ subject: "hello" });
    expect(await stage.perform(id, "search", {})).toMatchObject({ messages: expect.any(Array) });
    const mail = { to: ["bob@example.com"], subject: "Hi", text: "Hello" };
    expect(await stage.perform(id, "send", mail)).toMatchObject({ accepted: ["bob@example.com"] });
    for (const [operation, params] of [
      ["search", {}],
      ["send", mail],
    ] as const) {
      stage.vendor.token.accessToken = "another";
      await stage.perform(id, operation, params);
      expect(stage.vendor.requests.at(-1)?.form.get("grant_type")).toBe("refresh_token");
    }
    for (const secret of ["canary-mail-token", "canary-refresh", MAIL_APPLICATION.secret]) {
      expect(await tablesWith(secret)).toEqual([]);
    }
  });

  test("has the servers of the provider by default", () => {
    const fields = EMAIL_CONNECTOR.auths.find(({ name }) => name === auth)?.fields ?? [];
    const standards = ["imap", "smtp"].flatMap((protocol) =>
      ["host", "port", "security"].map((part) => fields.find(({ name }) => name === `${protocol}_${part}`)?.default),
    );
    expect(standards).toEqual(servers);
  });
});

test("an access token that the provider no longer renews makes the connection expired", async () => {
  const { id } = await signIn("gmail");
  stage.vendor.token.accessToken = "another";
  stage.vendor.failures.push({ status: 400, json: { error: "invalid_grant" } });
  await expect(stage.perform(id, "search", {})).rejects.toMatchObject({ code: "AUTH_EXPIRED" });
});
