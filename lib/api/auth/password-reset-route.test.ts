import { beforeEach, expect, test } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "#lib/api/admission/client-address";
import { postPasswordReset, postRedeemedReset } from "#lib/api/auth/password-reset-route";
import { addWorkspace } from "#lib/domain/workspaces/workspace.fixture";
import { env } from "#lib/platform/config/env";
import { db } from "#lib/platform/db/pool";
import { useTestDatabase } from "#lib/platform/db/test-database";

useTestDatabase();
beforeEach(() => {
  Object.assign(env(), { SMTP_URL: "smtp://127.0.0.1:1" });
});

/** Sends a request as a page of this site does. */
function send(body: unknown, headers: Record<string, string> = {}): Request {
  const { origin } = new URL(env().PUBLIC_BASE_URL);
  const given = { origin, "content-type": "application/json", ...headers };
  return new Request(`${origin}/api/password-reset`, { method: "POST", headers: given, body: JSON.stringify(body) });
}

const requests = async () => (await db().query("select user_id from password_resets")).rows;

test("an address with an account and one without get the same answer, and only the first gets a request", async () => {
  const { userId } = await addWorkspace();
  const { email } = (await db().query("select email from users where id = $1", [userId])).rows[0];
  for (const address of [email, "stranger@example.com"]) {
    const response = await postPasswordReset(send({ email: address }));
    expect([response.status, await response.json()]).toEqual([202, {}]);
  }
  expect(await requests()).toEqual([{ user_id: userId }]);
});

test("a page of another site, a wrong address and an instance without a mail server are refused", async () => {
  const foreign = await postPasswordReset(send({ email: "ann@example.com" }, { origin: "https://evil.example" }));
  expect(foreign.status).toBe(403);
  const wrong = await postPasswordReset(send({ email: "ann" }));
  expect([wrong.status, (await wrong.json()).details[0].field]).toEqual([400, "email"]);
  Object.assign(env(), { SMTP_URL: undefined });
  const mailless = await postPasswordReset(send({ email: "ann@example.com" }));
  expect([mailless.status, (await mailless.json()).error]).toEqual([403, "This instance has no mail server."]);
});

test("a link that does not exist is refused, and a short password names its field", async () => {
  const unknown = await postRedeemedReset(send({ token: "none", new_password: "seven quiet otters at noon" }));
  expect(unknown.status).toBe(403);
  const short = await postRedeemedReset(send({ token: "none", new_password: "short" }));
  expect([short.status, (await short.json()).details[0].field]).toEqual([400, "new_password"]);
});

test("requests from one address have a limit, whatever accounts they name", async () => {
  const statuses = [];
  for (let index = 0; index < 60; index += 1) {
    const headers = { [CLIENT_ADDRESS_HEADER]: "203.0.113.9" };
    statuses.push((await postPasswordReset(send({ email: `p${index}@example.com` }, headers))).status);
  }
  expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(50);
  expect(statuses.at(-1)).toBe(429);
});
