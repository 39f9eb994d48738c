import { callAskingAction, publishAskingAction } from "#e2e/asking-action";
import { expect, test } from "#e2e/fixtures";

test("a user approves, rejects or cancels a waiting run, and the run shows who did it", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const slug = await publishAskingAction(page, product);
  const header = page.locator("header").first();
  const details = page.getByRole("complementary", { name: "Details" });

  await page.goto(`/runs/${await callAskingAction(api, slug)}`);
  await expect(details).toContainText("Waiting for a person to approve");
  await details.getByLabel("Comment").fill("Looks right");
  await details.getByRole("button", { name: "Approve" }).click();
  await expect(header).toContainText("Succeeded");
  await expect(details).toContainText(/Approved by .+/);
  await expect(details).toContainText("Looks right");

  await page.goto(`/runs/${await callAskingAction(api, slug)}`);
  await details.getByRole("button", { name: "Reject" }).click();
  await expect(header).toContainText("Cancelled");
  await expect(details).toContainText("The run was not approved");

  const runId = await callAskingAction(api, slug);
  await page.goto(`/runs/${runId}`);
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel run" }).click();
  await expect(header).toContainText("Cancelled");
  expect((await (await api.get(`/api/v1/runtime/runs/${runId}`)).json()).status).toBe("cancelled");
});
