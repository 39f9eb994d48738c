import { afterEach, expect, test, vi } from "vitest";
import { log } from "#lib/platform/config/log";

afterEach(() => vi.restoreAllMocks());

/** Returns the output of one call of the log. */
function written(act: () => void): string {
  let lines = "";
  vi.spyOn(process.stdout, "write").mockImplementation((line) => {
    lines += line;
    return true;
  });
  act();
  return lines;
}

test("only the prefix of a raw key is logged, anywhere in a line", () => {
  const line = written(() => log.error({ url: "/x?key=svc_AbCdEfGhIjKlMnOpQrStUvWxYz012345" }, "refused"));
  expect(line).toContain("svc_AbCd…");
  expect(line).not.toContain("EfGh");
});

test("an error is logged with its message, stack and code, and without its connection", () => {
  const error = Object.assign(new Error("broken"), { code: "57P01", client: { secretKey: 123_454_321 } });
  const line = JSON.parse(written(() => log.error({ err: error }, "failed")));
  expect(line.err).toMatchObject({ type: "Error", message: "broken", code: "57P01" });
  expect(line.err.stack).toContain("log.test");
  expect(JSON.stringify(line)).not.toContain("123454321");
});

test("a line has no fields of an earlier line", () => {
  const lines = written(() => {
    log.error({ run_id: "a" }, "first");
    log.error("second");
  });
  const [first, second] = lines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({ run_id: "a", msg: "first" });
  expect(Object.keys(second).sort()).toEqual(["level", "msg", "time"]);
});
