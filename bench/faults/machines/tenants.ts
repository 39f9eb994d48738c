import { join } from "node:path";
import { callNode, fiveStepsDefinition, nodesOf, type Workload, webhookDefinition } from "#bench/faults/workload";
import { openAdmin } from "#bench/stage/administer";
import type { Release } from "#bench/stage/previous-release";
import type { Definition } from "#lib/contract/workflow/graph";
import { edges, node } from "#lib/domain/runs/read/seed-run.fixture";

/** The actions and triggers that the load calls, with their credentials. */
export interface Tenants {
  login: { email: string; password: string };
  /** The action that is called over REST and MCP. Each run makes five calls to the outside server. */
  steps: Workload;
  stepsKeys: { rest: string; mcp: string };
  /** The same action with slow calls, in another workspace. */
  slow: Workload & { key: string };
  /** An action whose runs wait for a decision, and a key that decides. */
  asking: { workspaceId: string; slug: string; key: string };
  /** A workspace with a webhook and a schedule that fires every minute. */
  events: { workspaceId: string; webhookPath: string };
  /** A key with the rate limit of the plan `starter`. */
  limitedKey: string;
}

interface TenantOptions {
  env: NodeJS.ProcessEnv;
  release: Release;
  folder: string;
  /** The servers that steps call: one for actions, one for slow actions, one for triggers. */
  actionsUrl: string;
  slowUrl: string;
  eventsUrl: string;
}

const SLUG = "work";
const SCOPES = "actions:read,actions:run,runs:read,approvals:decide";
/** The requests in a window for each key of the plan `starter` (limits, Plans). */
export const STARTER_WINDOW = 300;

/** Creates the load's workspaces with a release's admin commands. */
export async function addTenants({
  env,
  release,
  folder,
  actionsUrl,
  slowUrl,
  eventsUrl,
}: TenantOptions): Promise<Tenants> {
  const admin = openAdmin({ ...env, DATA_DIR: join(folder, "admin") }, folder, release.folder);
  const login = { email: "owner@example.com", password: "a phrase of five words" };
  await admin.addUser(login.email, login.password);
  const addKey = (workspace: string, name: string) => admin.addKey(workspace, name, SCOPES);
  const deploySteps = async (workspace: string, definition: Definition): Promise<Workload> => {
    const workspaceId = await admin.addWorkspace(workspace, login.email);
    await admin.deploy(workspace, SLUG, definition, "--slug", SLUG);
    return { workspace: { workspaceId, userId: "", plan: "business" }, slug: SLUG, ...nodesOf(definition) };
  };
  const steps = await deploySteps("steps", fiveStepsDefinition(actionsUrl));
  const slow = await deploySteps("slow", fiveStepsDefinition(slowUrl));
  const askingId = await admin.addWorkspace("asking", login.email);
  await admin.deploy("asking", SLUG, askingDefinition(actionsUrl), "--slug", SLUG, "--approval-policy", "always");
  const eventsId = await admin.addWorkspace("events", login.email);
  const { subscriptions = [] } = await admin.deploy("events", "webhook", webhookDefinition(eventsUrl));
  await admin.deploy("events", "schedule", scheduleDefinition(actionsUrl));
  await admin.addWorkspace("limited", login.email, "starter");
  return {
    login,
    steps,
    slow: { ...slow, key: await addKey("slow", "slow") },
    stepsKeys: { rest: await addKey("steps", "rest"), mcp: await addKey("steps", "mcp") },
    asking: { workspaceId: askingId, slug: SLUG, key: await addKey("asking", "asking") },
    events: { workspaceId: eventsId, webhookPath: new URL(subscriptions[0]?.url ?? "").pathname },
    limitedKey: await addKey("limited", "limited"),
  };
}

function askingDefinition(url: string): Definition {
  const nodes = [
    node("in", "action_input", { properties: [{ name: "n", type: "integer", required: true }] }),
    callNode(url, "s1", { n: "{{in.n}}" }),
    node("out", "return_output", { properties: [{ name: "n", type: "integer", value: "{{in.n}}" }] }),
  ];
  return { nodes, edges: edges("in>s1", "s1>out") };
}

function scheduleDefinition(url: string): Definition {
  const nodes = [
    node("start", "trigger", { kind: "schedule", mode: "cron", expression: "* * * * *", timezone: "UTC" }),
    callNode(url, "s1", { at: "{{trigger.output.timestamp}}" }),
  ];
  return { nodes, edges: edges("start>s1") };
}
