import axe, { type AxeResults, type RunOptions } from "axe-core";
import { expect, type Page } from "playwright/test";

/**
 * An open menu takes the focus and hides the page behind it from assistive technology, like a dialog, so it needs no
 * landmark around it. axe exempts only dialogs.
 */
const OPEN_MENU = "div[data-radix-popper-content-wrapper";

interface Look {
  /** A selector. Checks the whole page if left out. */
  part?: string;
  /** Ids of axe rules. Runs all default rules if left out. */
  rules?: string[];
}

/**
 * Returns what axe finds wrong with a page in its current state, of every severity: the ids of the rules, each with its
 * elements. No page here has frames, so axe runs in it directly; merging the results of frames in a separate page takes
 * longer than the rules do.
 */
export async function findFaults(page: Page, { part = "html", rules }: Look = {}): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await page.evaluate(settleMotion);
  // Naming each element that passed would take most of the time.
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

/** Waits for running animations to end, for up to a second, because axe must not measure a color in transition. */
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
 * Expects no fault of a page in the light theme, and no color fault in the dark one. Changes the theme without a reload.
 * @param where name of the page in the error
 */
export async function expectNoFaultInEitherTheme(page: Page, where = page.url()): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    const rules = colorScheme === "dark" ? COLOR_RULES : undefined;
    expect(await findFaults(page, { rules }), `${where} ${colorScheme}`).toEqual([]);
  }
}
