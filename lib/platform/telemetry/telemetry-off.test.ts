import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";

/** Starts telemetry in a process of its own, runs a request through it, and lists the SDK's modules that it loaded. */
function loadedModules(settings: Record<string, string>): string[] {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const { startTelemetry } = await import("#lib/platform/telemetry/sdk/start-telemetry");
    const { traceRequest } = await import("#lib/platform/telemetry/telemetry");
    await import("#lib/domain/runs/traces/export-traces");
    await startTelemetry("web");
    await traceRequest(new Request("http://localhost/x"), "/x", async () => new Response());
    console.log(JSON.stringify(loaded.filter((url) => url.includes("@opentelemetry"))));
    process.exit(0);
  `;
  const required = {
    DATABASE_URL: "postgres://localhost/none",
    ENCRYPTION_KEYS: `a:${Buffer.alloc(32).toString("base64")}`,
    NEXTAUTH_SECRET: "x".repeat(32),
  };
  const env = { ...process.env, ...required, ...settings };
  const text = execFileSync(process.execPath, ["--input-type=module", "-e", program], { env, encoding: "utf8" });
  return JSON.parse(text.trim().split("\n").at(-1) ?? "") as string[];
}

describe("telemetry that is off", () => {
  test("loads no module of the SDK", () => {
    expect(loadedModules({})).toEqual([]);
  });

  test("is distinguished by this test: with a collector, the SDK is loaded", () => {
    expect(loadedModules({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }).length).toBeGreaterThan(10);
  });
});
