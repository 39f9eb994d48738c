import { describe, expect, it } from "vitest";
import { checkTarget } from "#lib/connectors/sdk/check-target";
import { isAddressAllowed, parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";
import { StepError } from "#lib/contract/run/step-error";

const closed = parseOutboundAllow("");

const FORBIDDEN_ADDRESSES = [
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "127.8.8.8",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::7f00:1",
  "4000::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::1",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
];

describe("addresses", () => {
  it.each(FORBIDDEN_ADDRESSES)("blocks %s", (address) => {
    expect(isAddressAllowed(closed, address, "name.example")).toBe(false);
  });

  it.each(["8.8.8.8", "93.184.215.14", "2606:4700:4700::1111"])("allows %s", (address) => {
    expect(isAddressAllowed(closed, address, "name.example")).toBe(true);
  });
});

describe("OUTBOUND_ALLOW", () => {
  it("opens the listed addresses, ranges and names, and nothing else", () => {
    const policy = parseOutboundAllow("10.1.2.0/24, crm.internal,192.168.7.7 ,fd12::/16");
    expect(isAddressAllowed(policy, "10.1.2.77", "x")).toBe(true);
    expect(isAddressAllowed(policy, "10.1.3.1", "x")).toBe(false);
    expect(isAddressAllowed(policy, "192.168.7.7", "x")).toBe(true);
    expect(isAddressAllowed(policy, "192.168.7.8", "x")).toBe(false);
    expect(isAddressAllowed(policy, "172.16.0.1", "CRM.internal")).toBe(true);
    expect(isAddressAllowed(policy, "172.16.0.1", "crm.internal.evil.example")).toBe(false);
    expect(isAddressAllowed(policy, "fd12::9", "x")).toBe(true);
  });

  it("opens a metadata service only if its own address is listed", () => {
    const wide = parseOutboundAllow("169.254.0.0/16,metadata.internal");
    expect(isAddressAllowed(wide, "169.254.169.254", "metadata.internal")).toBe(false);
    expect(isAddressAllowed(parseOutboundAllow("169.254.169.254"), "169.254.169.254", "x")).toBe(true);
  });

  it("opens the loopback in both families", () => {
    expect(isAddressAllowed(parseOutboundAllow("127.0.0.1"), "::1", "localhost")).toBe(true);
  });

  it.each(["10.0.0.0/99", "300.1.1.1", "http://x", "a b", "-x"])("rejects %s at startup", (item) => {
    expect(() => parseOutboundAllow(`crm.internal,${item}`)).toThrow(`OUTBOUND_ALLOW: "${item}"`);
  });
});

describe("targets", () => {
  it.each([
    ["decimal", "http://2130706433/"],
    ["hexadecimal", "http://0x7f000001/"],
    ["octal", "http://0177.0.0.1/"],
    ["short", "http://127.1/"],
    ["IPv6", "http://[::1]/"],
    ["IPv4 in IPv6", "http://[::ffff:127.0.0.1]/"],
    ["full-width digits", "http://１２７.０.０.１/"],
    ["trailing dot", "http://127.0.0.1./"],
    ["credentials in front", "http://good.example@127.0.0.1/"],
    ["a file", "file:///etc/passwd"],
    ["another scheme", "gopher://good.example/"],
    ["data", "data:text/plain,x"],
    ["a non-HTTP port", "http://good.example:22/"],
    ["mail", "https://good.example:25/"],
    ["text that is not a URL", "good.example/path"],
    ["nothing", ""],
  ])("refuses %s", (_name, url) => {
    const error = refusal(() => checkTarget(closed, url));
    expect(error.code).toBe("VALIDATION_ERROR");
  });

  it("names the reason and how an operator can allow it", () => {
    const { message } = refusal(() => checkTarget(closed, "http://10.0.0.7/x"));
    expect(message).toContain("10.0.0.7 is not a public address");
    expect(message).toContain("adding 10.0.0.7 to OUTBOUND_ALLOW");
  });

  it.each(["https://good.example/", "http://good.example:8080/x", "https://93.184.215.14/"])("lets %s go", (url) => {
    expect(checkTarget(closed, url).href).toBe(url);
  });
});

function refusal(work: () => unknown): StepError {
  try {
    work();
  } catch (error) {
    if (error instanceof StepError) return error;
    throw error;
  }
  throw new Error("was not refused");
}
