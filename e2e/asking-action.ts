import type { APIRequestContext, Page } from "playwright/test";
import { expect, type Product } from "#e2e/fixtures";

/** Publishes an action whose calls wait for approval, through the web application's own calls. */
export async function publishAskingAction(page: Page, product: Product): Promise<string> {
  const slug = `asks-first-${Date.now()}`;
  const ask = async (operation: string, data: Record<string, unknown>) => {
    const answer = await page.request.post(`/api/web/${operation}`, { data, headers: { origin: product.url } });
    expect(answer.status(), await answer.text()).toBe(200);
    return answer.json();
  };
  const node = (id: string, type: string, y: number, properties: unknown[]) => ({
    id,
    type,
    position: { x: 0, y },
    data: { properties },
  });
  const { workflow_id } = await ask("create_workflow", {
    name: slug,
    definition: {
      nodes: [
        node("input", "action_input", 0, [{ name: "who", type: "string", required: true }]),
        node("output", "return_output", 160, [{ name: "who", type: "string", value: "{{action_input.who}}" }]),
      ],
      edges: [{ id: "e", source: "input", target: "output" }],
    },
  });
  await ask("deploy_workflow", { workflow_id, slug, approval_policy: "always" });
  return slug;
}

/**
 * Calls the action and expects the call to wait.
 * @returns the run's id
 */
export async function callAskingAction(api: APIRequestContext, slug: string): Promise<string> {
  const answer = await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input: { who: "Ada" } } });
  const run = await answer.json();
  expect(run.status).toBe("waiting_for_approval");
  return run.run_id;
}
