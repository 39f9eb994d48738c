import { afterEach, expect, test, vi } from "vitest";
import { log } from "#lib/platform/config/log";

afterEach(() => vi.restoreAllMocks());

/** What one call of the log writes. */
function written(act: () => void): string {
  let lines = "";
  vi.spyOn(process.stdout, "write").mockImplementation((line) => {
    lines += line;
    return true;
  });
  act();
  return lines;
}

test("of a raw key only its prefix is left, wherever it stands", () => {
  const line = written(() => log.error({ url: "/x?key=svc_AbCdEfGhIjKlMnOpQrStUvWxYz012345" }, "refused"));
  expect(line).toContain("svc_AbCd…");
  expect(line).not.toContain("EfGh");
});

test("an error is told with its message, stack and code, and without the connection it came over", () => {
  const error = Object.assign(new Error("broken"), { code: "57P01", client: { secretKey: 123_454_321 } });
  const line = JSON.parse(written(() => log.error({ err: error }, "failed")));
  expect(line.err).toMatchObject({ type: "Error", message: "broken", code: "57P01" });
  expect(line.err.stack).toContain("log.test");
  expect(JSON.stringify(line)).not.toContain("123454321");
});
