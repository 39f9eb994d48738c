import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("checking code writes nothing to the output of its process", async () => {
  // In a process of its own, because Node warns only once.
  const code = `import { findSyntaxError } from "#lib/domain/workflows/checks/parse-code";
    process.stdout.write(JSON.stringify([findSyntaxError("return 1"), findSyntaxError("return {")?.line]));`;
  const run = promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code]);
  expect(await run).toMatchObject({ stdout: "[null,1]", stderr: "" });
});
