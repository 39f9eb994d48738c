import type { APIRequestContext, Page } from "playwright/test";
import { expect, type Product, test } from "#e2e/fixtures";

/** Publishes an action whose calls wait for a person, as the web application itself would. */
async function publishAskingAction(page: Page, product: Product): Promise<string> {
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

async function call(api: APIRequestContext, slug: string): Promise<string> {
  const answer = await api.post(`/api/v1/runtime/actions/${slug}/run`, { data: { input: { who: "Ada" } } });
  const run = await answer.json();
  expect(run.status).toBe("waiting_for_approval");
  return run.run_id;
}

test("a waiting run is approved, rejected or cancelled by a person, and says by whom", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const slug = await publishAskingAction(page, product);
  const header = page.locator("header").first();
  const details = page.getByRole("complementary", { name: "Details" });

  await page.goto(`/runs/${await call(api, slug)}`);
  await expect(details).toContainText("Waiting for a person to approve");
  await details.getByLabel("Comment").fill("Looks right");
  await details.getByRole("button", { name: "Approve" }).click();
  await expect(header).toContainText("Succeeded");
  await expect(details).toContainText(/Approved by .+/);
  await expect(details).toContainText("Looks right");

  await page.goto(`/runs/${await call(api, slug)}`);
  await details.getByRole("button", { name: "Reject" }).click();
  await expect(header).toContainText("Cancelled");
  await expect(details).toContainText("The run was not approved");

  const runId = await call(api, slug);
  await page.goto(`/runs/${runId}`);
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel the run" }).click();
  await expect(header).toContainText("Cancelled");
  expect((await (await api.get(`/api/v1/runtime/runs/${runId}`)).json()).status).toBe("cancelled");
});
