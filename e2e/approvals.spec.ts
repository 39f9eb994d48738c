import { callAskingAction, publishAskingAction } from "#e2e/asking-action";
import { expect, test } from "#e2e/fixtures";

test("requests are decided by keyboard, opening a link decides nothing, and a late decider sees who was first", async ({
  signedInPage: page,
  api,
  product,
}) => {
  const slug = await publishAskingAction(page, product);
  const runs = [await callAskingAction(api, slug), await callAskingAction(api, slug)];
  const approvalOf = async (runId: string) => (await (await api.get(`/api/v1/runtime/runs/${runId}`)).json()).approval;
  const [first, second] = [await approvalOf(runs[0] ?? ""), await approvalOf(runs[1] ?? "")];
  const request = page.getByRole("region", { name: "Request" });
  const requests = page.getByRole("list", { name: "Requests" });

  await page.goto(`/approvals?approval=${first.id}`);
  await expect(request).toContainText(slug);
  await expect(request).toContainText(/expires in \d+ min/);
  const links = requests.getByRole("link");
  await expect(links.filter({ hasText: slug })).toHaveCount(2);
  const before = await links.count();
  await expect(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Approvals/ })).toContainText(
    "waiting",
  );
  // A new request appears without a reload.
  const third = await callAskingAction(api, slug);
  await expect(links).toHaveCount(before + 1);

  await request.getByLabel("Comment").fill("Looks right");
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("a");
  await expect(request.getByRole("button", { name: "Approve" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await approvalOf(runs[0] ?? "")).status).toBe("approved");
  await expect(links).toHaveCount(before);
  // The inbox shows the next request.
  await expect(page).toHaveURL(new RegExp(second.id));

  // A mail scanner also opens the link.
  const path = `/approvals/${second.id}`;
  expect((await page.request.get(path)).status()).toBe(200);
  expect((await page.request.head(path)).status()).toBe(200);
  expect((await approvalOf(runs[1] ?? "")).status).toBe("pending");

  const ask = (operation: string, data: Record<string, unknown>) =>
    page.request.post(`/api/web/${operation}`, { data, headers: { origin: product.url } });
  const other = await (await ask("create_key", { name: "Second person", scopes: ["approvals:decide"] })).json();
  await page.goto(path);
  await page.route("**/api/web/approve_run", async (route) => {
    const answer = await api.post(`/api/v1/runtime/runs/${runs[1]}/approve`, {
      data: { decision: "rejected" },
      headers: { authorization: `Bearer ${other.raw_key}` },
    });
    expect(answer.status()).toBe(200);
    await route.continue();
  });
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText(/Rejected by Second person.+Your decision wasn't applied/).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Decision" })).toContainText("Rejected by Second person");
  await ask("revoke_key", { key_id: other.key_id });

  await api.post(`/api/v1/runtime/runs/${third}/cancel`);
  await page.goto("/approvals?view=decided");
  await expect(requests.getByRole("link").first()).toContainText("No longer needed");
});
