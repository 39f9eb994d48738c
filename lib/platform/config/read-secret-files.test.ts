import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSecretFiles } from "#lib/platform/config/read-secret-files";

const folder = mkdtempSync(join(tmpdir(), "secret-files-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const path = join(folder, `secret-${text.length}`);
  writeFileSync(path, text);
  return path;
}

/** Returns the environment after the files were read. */
function read(environment: Record<string, string>): NodeJS.ProcessEnv {
  const given = { ...environment } as unknown as NodeJS.ProcessEnv;
  readSecretFiles(given);
  return given;
}

test("a file replaces the variable, without the line break at its end", () => {
  const path = fileWith("smtp://user:two words \n@host\n");
  expect(read({ SMTP_URL_FILE: path, PORT: "4000" })).toEqual({
    SMTP_URL: "smtp://user:two words \n@host",
    PORT: "4000",
  });
});

test("an empty variable counts as not set", () => {
  const path = fileWith("k1:AAAA");
  expect(read({ ENCRYPTION_KEYS: "", ENCRYPTION_KEYS_FILE: path })).toEqual({ ENCRYPTION_KEYS: "k1:AAAA" });
  expect(read({ DATABASE_URL_FILE: "" })).toEqual({ DATABASE_URL_FILE: "" });
});

test("a variable of a setting that is no secret is left alone", () => {
  expect(read({ HOST_FILE: "/etc/hostname" })).toEqual({ HOST_FILE: "/etc/hostname" });
});

test("a setting with both a value and a file is refused", () => {
  expect(() => read({ METRICS_TOKEN: "one", METRICS_TOKEN_FILE: fileWith("two") })).toThrow(
    "METRICS_TOKEN and METRICS_TOKEN_FILE are both set. Remove one of them.",
  );
});

test.each([
  ["is missing", "missing", /^NEXTAUTH_SECRET_FILE: cannot read .*missing \(ENOENT\)\./],
  ["is a folder", ".", /^NEXTAUTH_SECRET_FILE: cannot read .* \(EISDIR\)\./],
])("a file that %s is named", (_, name, message) => {
  expect(() => read({ NEXTAUTH_SECRET_FILE: join(folder, name) })).toThrow(message);
});

test("an empty file is refused", () => {
  expect(() => read({ NEXTAUTH_SECRET_FILE: fileWith("\n") })).toThrow(/^NEXTAUTH_SECRET_FILE: .* is empty\./);
});
