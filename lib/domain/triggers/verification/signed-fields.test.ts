import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { customVerification } from "#lib/contract/webhooks/verification";
import { deliveryOf } from "#lib/domain/triggers/verification/delivery.fixture";
import { verifySignature } from "#lib/domain/triggers/verification/verify-signature";

const RULE = { algorithm: "sha256", encoding: "hex", tolerance_seconds: 300, secret: "s" } as const;
const hex = (text: string) => createHmac("sha256", "s").update(text).digest("hex");

/** Reports whether a sender that signs by a template is believed when it signs a text. */
function isGenuine(
  signed: string,
  { body, text, type = "application/json" }: { body: string; text: string; type?: string },
) {
  const verification = customVerification.parse({ type: "hmac", signature: { header: "x-sig" }, signed });
  const delivery = deliveryOf({ body, headers: { "x-sig": hex(text), "content-type": type } });
  return verifySignature({ ...RULE, scheme: "custom", verification }, delivery).isGenuine;
}

test.each<[string, string, string, string]>([
  ["a nested field", "{body:a.b}", '{"a":{"b":"x"}}', "x"],
  ["an element of a list", "{body:a.1.b}", '{"a":[0,{"b":"x"}]}', "x"],
  ["an integer", "{body:a}:{body:b}", '{"a":1130,"b":-2}', "1130:-2"],
  ["an integer beyond 2^53", "{body:a}", '{"a":8202522731445525543}', "8202522731445525543"],
  ["decimals as they were written", "{body:a}|{body:b}|{body:c}", '{"a":1.50,"b": 1e3,"c":10.0}', "1.50|1e3|10.0"],
  ["booleans", "{body:a}{body:b}", '{"a":true,"b":false}', "truefalse"],
  ["letters of all kinds", "{body:a}", '{"a":"Zoë 🦊 \\u00e9"}', "Zoë 🦊 é"],
  ["an absent field", "{body:a}:{body:b}:{body:c}", '{"a":"x","c":"z"}', "x::z"],
  ["null and an empty text", "{body:a}:{body:b}:{body:c}", '{"a":"x","b":null,"c":""}', "x::"],
  ["a field below an absent one", "{body:a}:{body:b.c.d}", '{"a":"x","b":1}', "x:"],
  ["the one element of a list", "{body:a.*.b}", '{"a":[{"b":"x"}]}', "x"],
  ["lines of the fields that there are", "{lines:A,B,C}", '{"C":"z","A":"x"}', "A\nx\nC\nz\n"],
])("what is signed may have %s", (_name, signed, body, text) => {
  expect(isGenuine(signed, { body, text })).toBe(true);
  expect(isGenuine(signed, { body, text: `${text}x` })).toBe(false);
});

test.each<[string, string, string, string]>([
  ["an object where a text was absent", "{body:a}:{body:b}", '{"a":"x","b":{"c":1}}', "x:"],
  ["a list where a text was absent", "{body:a}:{body:b}", '{"a":"x","b":[]}', "x:"],
  ["several values in place of one", "{body:a.*.b}:{body:c}", '{"a":[{"b":"x"},{"b":"y"}],"c":"z"}', "x:z"],
  ["none of its fields", "{body:a}:{body:b}", "{}", ":"],
  ["no JSON at all", "{body:a}:{body:b}", "nothing", ":"],
  ["none of its lines", "{lines:A,B}", "{}", ""],
  ["an absent header", "{header:x-id}.{body}", "{}", ".{}"],
  ["an absent query parameter", "{query:id}.{body}", "{}", ".{}"],
])("a signature proves nothing about a body with %s", (_name, signed, body, text) => {
  expect(isGenuine(signed, { body, text })).toBe(false);
});

test("fields of forms are signed as they were decoded", () => {
  const form = "application/x-www-form-urlencoded";
  expect(isGenuine("{body:a}:{body:d.email}", { type: form, body: "d[email]=x%40y&a=1+2", text: "1 2:x@y" })).toBe(
    true,
  );
  const multipart = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--b--';
  expect(isGenuine("{body:a}", { type: "multipart/form-data; boundary=b", body: multipart, text: "1" })).toBe(true);
});

test("Adyen's example is genuine, and refused once a signed field has changed", () => {
  const item = {
    pspReference: "7914073381342284",
    merchantAccountCode: "TestMerchant",
    merchantReference: "TestPayment-1407325143704",
    amount: { value: 1130, currency: "EUR" },
    eventCode: "AUTHORISATION",
    success: "true",
    additionalData: { hmacSignature: "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=" },
  };
  const secret = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
  const verdict = (change: object) => {
    const body = JSON.stringify({ notificationItems: [{ NotificationRequestItem: { ...item, ...change } }] });
    return verifySignature({ ...RULE, scheme: "adyen", secret }, deliveryOf({ body })).isGenuine;
  };
  expect(verdict({})).toBe(true);
  expect(verdict({ originalReference: null })).toBe(true);
  for (const change of [
    { success: "false" },
    { amount: { value: 1131, currency: "EUR" } },
    { originalReference: "1" },
    { originalReference: {} },
  ]) {
    expect(verdict(change), JSON.stringify(change)).toBe(false);
  }
});

test("a template may have as many characters as eight long paths need, and no more", () => {
  const template = (length: number) => ({ type: "hmac", signature: { header: "x" }, signed: "x".repeat(length) });
  expect(customVerification.safeParse(template(2_000)).success).toBe(true);
  expect(customVerification.safeParse(template(2_001)).success).toBe(false);
});
