import { afterEach, describe, expect, test, vi } from "vitest";
import { instanceEnvironment, isLoopback, listenAddress, localUrl } from "#scripts/instance/environment";

describe("the environment of an instance", () => {
  const secrets = { nextauthSecret: "n", encryptionKeys: "k1:x", postgresPassword: "p", demoPassword: "d" };
  const address = { host: "127.0.0.1", port: 3456, databaseUrl: "postgres://x" };
  const environment = () =>
    instanceEnvironment({ role: "all", mode: "production", dataDir: "/data", ...address, secrets });

  afterEach(() => void vi.unstubAllEnvs());

  test("derives every address from the port that was found free", () => {
    for (const name of ["PUBLIC_BASE_URL", "WEBHOOK_BASE_URL", "NEXTAUTH_URL"]) vi.stubEnv(name, "");
    expect(environment()).toMatchObject({
      PORT: "3456",
      PUBLIC_BASE_URL: "http://localhost:3456",
      WEBHOOK_BASE_URL: "",
      NEXTAUTH_URL: "http://localhost:3456",
    });
  });

  test("derives the address from HOST if the server listens only there", () => {
    vi.stubEnv("PUBLIC_BASE_URL", "");
    const urlFor = (host: string) =>
      instanceEnvironment({ role: "all", mode: "production", dataDir: "/data", ...address, host, secrets })
        .PUBLIC_BASE_URL;
    expect(["0.0.0.0", "::", "::1", "192.168.1.5", "fd00::5"].map(urlFor)).toEqual([
      "http://localhost:3456",
      "http://localhost:3456",
      "http://localhost:3456",
      "http://192.168.1.5:3456",
      "http://[fd00::5]:3456",
    ]);
  });

  test("keeps values that the user set", () => {
    vi.stubEnv("PUBLIC_BASE_URL", "https://flows.example.com");
    vi.stubEnv("NEXTAUTH_SECRET", "a secret of one's own");
    expect(environment()).toMatchObject({
      NEXTAUTH_URL: "https://flows.example.com",
      NEXTAUTH_SECRET: "a secret of one's own",
    });
  });

  test("knows which addresses other machines can reach", () => {
    expect([undefined, "", "localhost", "::1", "127.0.0.2"].map(listenAddress).every(isLoopback)).toBe(true);
    expect(["0.0.0.0", "::", "192.168.1.5"].map(isLoopback)).toEqual([false, false, false]);
    expect(localUrl("0.0.0.0", 1)).toBe("http://127.0.0.1:1");
    expect(localUrl("::1", 1)).toBe("http://[::1]:1");
  });
});
