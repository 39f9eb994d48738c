import axe, { type AxeResults, type RunOptions } from "axe-core";
import { expect, type Page } from "playwright/test";

/**
 * An open menu takes the focus and hides the page behind it from assistive technology, like a dialog, so it needs no
 * landmark around it. axe exempts only dialogs.
 */
const OPEN_MENU = "div[data-radix-popper-content-wrapper";

interface Look {
  /** The selector of the part to check. By default, the whole page. */
  part?: string;
  /** Ids of axe rules. By default, all default rules of axe. */
  rules?: string[];
}

/**
 * Returns the faults of every severity that axe finds in a page's current state: the ids of the rules, each with its
 * elements. Our pages have no frames, so axe runs in the page directly. Merging the results of frames in a separate
 * page takes longer than the rules themselves.
 */
export async function findFaults(page: Page, { part = "html", rules }: Look = {}): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await page.evaluate(settleMotion);
  // Most of the time would be spent on naming each element that passed.
  const options: RunOptions = {
    resultTypes: ["violations"],
    ...(rules && { runOnly: { type: "rule", values: rules } }),
  };
  const { violations } = await page.evaluate(
    (given): Promise<AxeResults> =>
      (window as unknown as { axe: typeof axe }).axe.run({ include: [[given.part]] }, given.options),
    { part, options },
  );
  return violations
    .filter(({ id, nodes }) => id !== "region" || nodes.some(({ target }) => !target.join(" ").startsWith(OPEN_MENU)))
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

/** Waits up to a second for running animations to end, because axe must not measure a color in transition. */
async function settleMotion(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter((motion) => motion.playState === "running" && motion.effect?.getComputedTiming().endTime !== Infinity);
  const limit = new Promise((resolve) => setTimeout(resolve, 1_000));
  await Promise.race([limit, Promise.allSettled(ending.map((motion) => motion.finished))]);
}

/** Rules whose result depends on the theme. All other rules run only in the light theme. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/**
 * Expects no fault in the light theme, and no color fault in the dark theme. Changes the theme without a reload.
 * @param where the page's name in the error
 */
export async function expectNoFaultInEitherTheme(page: Page, where = page.url()): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    const rules = colorScheme === "dark" ? COLOR_RULES : undefined;
    expect(await findFaults(page, { rules }), `${where} ${colorScheme}`).toEqual([]);
  }
}
