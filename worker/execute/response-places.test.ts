import { expect, test } from "vitest";
import { LIMITS } from "#lib/contract/limits";
import { openResponsePlaces, type ResponsePlace } from "#worker/execute/response-places";

const never = new AbortController().signal;

/** Creates requests with large responses. `inside` lists the responses that are being read. */
function stage() {
  const places = openResponsePlaces();
  const inside: string[] = [];
  const request = (workspaceId: string, signal = never): { place: ResponsePlace; entered: Promise<void> } => {
    const place = places.open(workspaceId);
    const entered = place.enter(signal).then(() => void inside.push(workspaceId));
    return { place, entered };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { request, inside, turn };
}

test("a workspace reads a bounded number of large responses at once, and then the next one", async () => {
  const { request, inside, turn } = stage();
  const requests = Array.from({ length: 100 }, () => request("greedy"));
  await turn();
  expect(inside).toHaveLength(LIMITS.largeResponsesPerWorkspace);
  requests[0]?.place.leave();
  await turn();
  expect(inside).toHaveLength(LIMITS.largeResponsesPerWorkspace + 1);
});

test("another workspace's first large response is read at once, no matter how many others wait", async () => {
  const { request, inside, turn } = stage();
  for (const name of ["a", "b"]) for (let index = 0; index < 50; index += 1) request(name);
  await turn();
  expect(inside).toHaveLength(LIMITS.largeResponses);
  request("newcomer");
  await turn();
  expect(inside.at(-1)).toBe("newcomer");
});

test("all places together bound the memory of a worker", async () => {
  const { request, inside, turn } = stage();
  for (let name = 0; name < 100; name += 1) for (let index = 0; index < 3; index += 1) request(`${name}`);
  await turn();
  expect(inside).toHaveLength(LIMITS.largeResponses + LIMITS.largeResponsesReserved);
});

test("a request that is aborted while it waits passes its turn to the next request", async () => {
  const { request, inside, turn } = stage();
  const first = Array.from({ length: LIMITS.largeResponsesPerWorkspace }, () => request("one"));
  const abort = new AbortController();
  const aborted = request("one", abort.signal);
  const refused = expect(aborted.entered).rejects.toThrow("over");
  const next = request("one");
  abort.abort(new Error("over"));
  await refused;
  aborted.place.leave();
  await turn();
  expect(inside).toHaveLength(LIMITS.largeResponsesPerWorkspace);
  first[0]?.place.leave();
  await next.entered;
  expect(inside).toHaveLength(LIMITS.largeResponsesPerWorkspace + 1);
});
