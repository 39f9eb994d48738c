import { expect, onTestFinished, test } from "vitest";
import { CLIENT_ADDRESS_HEADER } from "#lib/api/admission/client-address";
import { type BodyShare, readBody, trackBody } from "#lib/api/admission/read-body";
import { HALF_DUPLEX } from "#lib/api/rest/rest.fixture";
import { LIMITS } from "#lib/contract/limits";

const MIB = 1_048_576;
const CAPACITY = LIMITS.arrivingBodiesBytes / MIB;

/** Starts a body and returns its share and whether it had to go. */
function start(source: string, bytes = 0): BodyShare & { isStopped: () => boolean } {
  let isStopped = false;
  const share = trackBody(source, () => {
    isStopped = true;
  });
  onTestFinished(() => share.end());
  share.add(bytes);
  return { ...share, isStopped: () => isStopped };
}

test("bodies that are arriving never hold more than their limit: the oldest of the largest source has to go", () => {
  const small = start("small", MIB);
  const large = Array.from({ length: CAPACITY - 1 }, () => start("large", MIB));
  expect(large.filter((body) => body.isStopped())).toEqual([]);
  const newcomer = start("newcomer", MIB);
  expect(large.map((body) => body.isStopped())).toEqual([true, ...Array(CAPACITY - 2).fill(false)]);
  expect([small.isStopped(), newcomer.isStopped()]).toEqual([false, false]);
});

test("a source that opens many bodies and stalls loses its own, not those of others", () => {
  const small = Array.from({ length: 8 }, (_, n) => start(`small ${n}`, MIB));
  const flood = Array.from({ length: 10 * CAPACITY }, () => start("flood", MIB));
  expect(small.filter((body) => body.isStopped())).toEqual([]);
  expect(flood.filter((body) => !body.isStopped())).toHaveLength(CAPACITY - 8);
  // Those that came last are still arriving.
  expect(flood.at(-1)?.isStopped()).toBe(false);
});

test("a body that only announces its size takes nothing", () => {
  const silent = Array.from({ length: 1_000 }, () => start("silent"));
  const other = start("other", LIMITS.arrivingBodiesBytes);
  expect(silent.filter((body) => body.isStopped())).toEqual([]);
  expect(other.isStopped()).toBe(false);
});

test("a body that ended gives its memory back once", () => {
  const first = start("a", CAPACITY * MIB);
  first.end();
  first.end();
  first.add(MIB);
  const second = start("b", CAPACITY * MIB);
  expect(second.isStopped()).toBe(false);
  second.add(1);
  expect(second.isStopped()).toBe(true);
});

test("a request whose body has to go gets 503 and the time to wait", async () => {
  for (let n = 0; n < 2 * CAPACITY - 1; n += 1) start(`source ${n}`, MIB / 2);
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(MIB / 4)) });
  const headers = { [CLIENT_ADDRESS_HEADER]: "203.0.113.9" };
  const request = new Request("http://localhost/", { method: "POST", body, headers, ...HALF_DUPLEX });
  await expect(readBody(request)).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    reason: "bodies_overloaded",
    retryAfterSeconds: 1,
  });
});

test("a body that was read, refused or broken off gives its memory back", async () => {
  const post = (body: BodyInit) => new Request("http://localhost/", { method: "POST", body, ...HALF_DUPLEX });
  const broken = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(MIB / 2));
      },
      pull(controller) {
        controller.error(new Error("the client has gone"));
      },
    });
  for (let n = 0; n < CAPACITY; n += 1) {
    expect(await readBody(post(new Uint8Array(MIB)))).toHaveLength(MIB);
    await expect(readBody(post(new Uint8Array(MIB)), MIB / 2)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    await expect(readBody(post(broken()))).rejects.toMatchObject({ code: "BAD_REQUEST" });
  }
  expect(start("all", LIMITS.arrivingBodiesBytes).isStopped()).toBe(false);
});
