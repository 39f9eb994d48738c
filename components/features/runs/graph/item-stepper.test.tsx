import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ChooseItemContext, ItemStepper } from "@/components/features/runs/graph/item-stepper";
import { expectAccessible, renderPage } from "@/components/testing/render-page.fixture";

function renderStepper(index: number | null, count = 3) {
  const choose = vi.fn();
  const page = renderPage(
    <ChooseItemContext value={choose}>
      <ItemStepper loopId="each" name="Each order" index={index} count={count} />
    </ChooseItemContext>,
  );
  return { ...page, choose };
}

const button = (name: string) => screen.getByRole("button", { name });

test("a loop shows all its items at first, and Next selects the first", async () => {
  const { user, choose } = renderStepper(null);
  screen.getByRole("group", { name: "Items of Each order" });
  expect(button("All 3 items").getAttribute("aria-pressed")).toBe("true");
  expect(button("Previous item")).toHaveProperty("disabled", true);
  await user.click(button("Next item"));
  expect(choose).toHaveBeenCalledWith("each", 0);
  await expectAccessible();
});

test("an item steps to its neighbors and back to all of them", async () => {
  const { user, choose } = renderStepper(1);
  await user.click(button("Previous item"));
  await user.click(button("Next item"));
  await user.click(button("Item 2 of 3; show all"));
  expect(choose.mock.calls).toEqual([
    ["each", 0],
    ["each", 2],
    ["each", null],
  ]);
});

test("the last item has no next item", () => {
  renderStepper(2);
  expect(button("Next item")).toHaveProperty("disabled", true);
  expect(button("Previous item")).toHaveProperty("disabled", false);
});
