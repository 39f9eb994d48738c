// Lists the published actions, calls one over REST and prints its output.
import { createSignalbox, type Run, RunNotSucceeded, SignalboxError } from "#docs/client/signalbox";

const { SIGNALBOX_URL = "http://localhost:3000", SVC_API_KEY = "" } = process.env;
const [slug = "hello-world", input = '{"name":"Ada"}'] = process.argv.slice(2);

// The client repeats a request after 429, 502, 503, 504 and a lost connection. It waits as long as `retry-after` says.
const signalbox = createSignalbox({ baseUrl: SIGNALBOX_URL, apiKey: SVC_API_KEY });

async function callAction(): Promise<Run> {
  const { data: actions } = await signalbox.listActions();
  for (const { slug, description } of actions) console.error(`action ${slug}: ${description ?? "no description"}`);

  // One idempotency key per intended call: however often the request is repeated, it starts one run.
  let run = await signalbox.run(slug, JSON.parse(input), { idempotencyKey: crypto.randomUUID() });
  console.error(`run ${run.run_id}: ${run.status}`);
  let reportedApproval = "";
  while (["accepted", "running", "waiting_for_approval"].includes(run.status)) {
    if (run.status === "waiting_for_approval") {
      const { id = "", message = null } = run.approval ?? {};
      if (id !== reportedApproval) console.error(`waiting for a decision: ${message ?? "approve or reject this run"}`);
      reportedApproval = id;
      // The API answers at once for a run that waits for a person.
      await new Promise((done) => setTimeout(done, 2_000));
    }
    run = await signalbox.getRun(run.run_id, { wait: 25 });
  }
  if (run.status !== "succeeded") throw new RunNotSucceeded(run);
  return run;
}

try {
  console.log(JSON.stringify((await callAction()).output));
} catch (error) {
  process.exitCode = 1;
  if (error instanceof SignalboxError) {
    console.error(`${error.code}: ${error.message}`, error.details ?? "");
    if (error.retryAfter !== null) console.error(`Try again in ${error.retryAfter} seconds.`);
  } else if (error instanceof RunNotSucceeded) {
    console.error(error.message);
  } else throw error;
}
