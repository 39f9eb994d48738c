import type { Page } from "playwright/test";

/**
 * Returns the scroll bars of a page that take space from a row: those of rows of tabs or buttons, and those of a page
 * that is wider than its window. A list, a panel, or a table may scroll.
 */
export function strayScrollBars(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>("[role=tablist], [role=toolbar], nav, fieldset")].filter(
      ({ clientHeight }) => clientHeight > 0 && clientHeight < 90,
    );
    const stray = rows.filter((row) => {
      const { borderTopWidth, borderBottomWidth, borderLeftWidth, borderRightWidth } = getComputedStyle(row);
      const across =
        row.offsetWidth - row.clientWidth - Number.parseFloat(borderLeftWidth) - Number.parseFloat(borderRightWidth);
      const along =
        row.offsetHeight - row.clientHeight - Number.parseFloat(borderTopWidth) - Number.parseFloat(borderBottomWidth);
      return across > 1 || along > 1 || row.scrollHeight > row.clientHeight || row.scrollWidth > row.clientWidth;
    });
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...stray.map(
        (row) =>
          `${row.getAttribute("aria-label") ?? row.className}: ${row.scrollWidth}x${row.scrollHeight} in ${row.clientWidth}x${row.clientHeight}`,
      ),
      ...(scrollWidth > clientWidth ? [`the page: ${scrollWidth} in ${clientWidth}`] : []),
    ];
  });
}
