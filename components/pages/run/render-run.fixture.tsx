import type { RunObject } from "#lib/contract/run/run";
import type { RunGraphObject } from "#lib/contract/wire/web";
import type { Role } from "#lib/contract/workspace/roles";
import { RunDetail } from "@/components/pages/run/run-detail";
import { pageOf } from "@/components/testing/page.fixture";
import { renderPage } from "@/components/testing/render-page.fixture";
import { executedGraph } from "@/components/testing/run.fixture";

interface Options {
  graph?: Partial<RunGraphObject>;
  role?: Role;
  query?: string;
}

/** Renders the page of a run without replays. */
export function renderRun(run: RunObject, { graph, role = "editor", query = "" }: Options = {}) {
  return renderPage(<RunDetail runId={run.run_id} />, {
    address: `/runs/${run.run_id}${query}`,
    session: { role },
    prepare: (server) => {
      server.answer("get_run_status", run);
      server.answer("get_run_graph", executedGraph(graph));
      server.answer("list_runs", pageOf<RunObject>([]));
      server.answer("get_run_step", { input: { amount: 5 }, output: { id: "ch_1" }, events: [] });
    },
  });
}
