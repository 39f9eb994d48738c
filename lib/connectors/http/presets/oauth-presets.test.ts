import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { HTTP_AUTHS } from "#lib/connectors/http/auths";
import { findPreset, OAUTH_PRESETS } from "#lib/connectors/http/presets/oauth-presets";
import { isOriginAllowed, parseAllowedOrigin } from "#lib/support/urls/allowed-origins";

const fields = HTTP_AUTHS.find(({ name }) => name === "oauth2_authorization_code")?.fields ?? [];
const service = fields.find(({ name }) => name === "service");

test("there are presets for at least 30 services, and no two share a name, a label or a host", () => {
  expect(OAUTH_PRESETS.length).toBeGreaterThanOrEqual(30);
  for (const values of [
    OAUTH_PRESETS.map(({ name }) => name),
    OAUTH_PRESETS.map(({ label }) => label),
    OAUTH_PRESETS.flatMap(({ hosts }) => hosts),
  ]) {
    expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
  }
});

describe.each(OAUTH_PRESETS)("$label", (preset) => {
  test("has addresses with https, usable hosts, and scopes that its separator can separate", () => {
    for (const text of [preset.authorizeUrl, preset.tokenUrl, preset.docs]) {
      const url = new URL(text);
      expect([url.protocol, url.username, url.hash]).toEqual(["https:", "", ""]);
    }
    expect(new URL(preset.authorizeUrl).search + new URL(preset.tokenUrl).search).toBe("");
    expect(preset.name).toMatch(/^[a-z0-9]+$/);
    for (const host of preset.hosts) expect(parseAllowedOrigin(host)).toBe(`https://${host}`);
    for (const scope of preset.scopes) expect(scope).toMatch(/^[^\s,]+$/);
  });

  test("fills in every field that a service decides, with values that the form accepts", () => {
    const fills = service?.options?.find(({ value }) => value === preset.name)?.fills ?? {};
    const decided = fields
      .map(({ name }) => name)
      .filter((name) => !/^(?:service|client_id|client_secret|test_url)$/.test(name));
    expect(Object.keys(fills).sort()).toEqual(decided.sort());
    for (const field of fields) {
      const text = fills[field.name] ?? "";
      if (text === "") expect([field.name, field.isRequired && field.name in fills]).toEqual([field.name, false]);
      else expect([field.name, field.schema.safeParse(text).success]).toEqual([field.name, true]);
    }
  });

  test("is found by the address of its API and by its sign-in", () => {
    for (const host of preset.hosts) {
      expect(findPreset(`https://${host.replace("*.", "eu.")}/v1`, [])?.name).toBe(preset.name);
    }
    expect(findPreset("https://gateway.example.com", [preset.tokenUrl])?.name).toBe(preset.name);
    expect(findPreset(null, [preset.authorizeUrl])?.name).toBe(preset.name);
  });
});

test("the guide lists exactly these services", () => {
  const guide = readFileSync("docs/guides/connect-a-service.md", "utf8").replace(/\s+/g, " ");
  const labels = OAUTH_PRESETS.map(({ label }) => label);
  const listed = `${labels.slice(0, -1).join(", ")}, and ${labels.at(-1)}`;
  expect(guide).toContain(`These services are in the list: ${listed}.`);
});

test("a host that only resembles that of a service suggests nothing", () => {
  const urls = [
    "https://api.github.com.example.com",
    "http://api.github.com",
    "https://github.com",
    "https://googleapis.com",
  ];
  expect(urls.map((url) => findPreset(url, [url]))).toEqual([null, null, null, null]);
  expect(isOriginAllowed(["https://*.googleapis.com"], new URL("https://gmail.googleapis.com"))).toBe(true);
});

test("parameters of the authorization URL cannot replace those that protect a sign-in", () => {
  const schema = fields.find(({ name }) => name === "authorize_parameters")?.schema;
  for (const text of [
    "state=1",
    "prompt=none&redirect_uri=https%3A%2F%2Fevil.example",
    "sc%6fpe=all",
    "prompt",
    "a=1&&b=2",
    "a=1&a=2",
  ]) {
    expect([text, schema?.safeParse(text).success]).toEqual([text, false]);
  }
  expect(schema?.safeParse(" access_type=offline&prompt=select_account%20consent ").data).toBe(
    "access_type=offline&prompt=select_account%20consent",
  );
});
