import axe, { type AxeResults, type RunOptions } from "axe-core";
import { expect, type Page } from "playwright/test";

interface Look {
  /** A selector; the whole page when left out. */
  part?: string;
  /** Ids of axe's rules; all that are on by default when left out. */
  rules?: string[];
  /** Also what axe calls minor or moderate. */
  isStrict?: boolean;
}

/**
 * What axe finds wrong with a page as it stands: the ids of the rules, each with where. No page here has frames, so axe
 * runs in it directly; to merge the results of frames in a page of their own takes longer than the rules do.
 */
export async function findFaults(page: Page, { part = "html", rules, isStrict = false }: Look = {}): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  await page.evaluate(settleMotion);
  // To name each element that passed would take most of the time.
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
    .filter(({ impact }) => isStrict || impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}

/** A colour on its way to another is no colour of the page: waits for what moves and ends, for a second at the most. */
async function settleMotion(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter((motion) => motion.playState === "running" && motion.effect?.getComputedTiming().endTime !== Infinity);
  const limit = new Promise((resolve) => setTimeout(resolve, 1_000));
  await Promise.race([limit, Promise.allSettled(ending.map((motion) => motion.finished))]);
}

/** What another theme can change; the rest is looked at in the light one. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Expects no serious or critical fault of a page in the light theme, and none of colours in the dark one, which it
 * changes to where the page stands.
 * @param where names the page when there is one
 */
export async function expectNoFaultInEitherTheme(page: Page, where = page.url()): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    const rules = colorScheme === "dark" ? OF_COLOURS : undefined;
    expect(await findFaults(page, { rules }), `${where} ${colorScheme}`).toEqual([]);
  }
}
