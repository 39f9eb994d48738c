import type { Page } from "playwright/test";

/** A row of tabs or buttons is lower than this. A list, a panel, or a table may have a scroll bar. */
const ROW_MAX = 60;

/** Returns the rows of a page whose scroll bar takes space, and the page itself if it is wider than its window. */
export function strayScrollBars(page: Page): Promise<string[]> {
  return page.evaluate((rowMax) => {
    const isRow = (element: HTMLElement) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const isScrolled = [overflowX, overflowY].some((overflow) => overflow === "auto" || overflow === "scroll");
      return isScrolled && element.offsetHeight > 0 && element.offsetHeight <= rowMax;
    };
    const hasBar = (element: HTMLElement) => {
      const style = getComputedStyle(element);
      const sum = (...lengths: string[]) => lengths.reduce((total, length) => total + Number.parseFloat(length), 0);
      const width = element.clientWidth + sum(style.borderLeftWidth, style.borderRightWidth);
      const height = element.clientHeight + sum(style.borderTopWidth, style.borderBottomWidth);
      return element.offsetWidth - width > 1 || element.offsetHeight - height > 1;
    };
    const rows = [...document.querySelectorAll<HTMLElement>("body *:not(textarea, select)")].filter(isRow);
    const { scrollWidth, clientWidth } = document.documentElement;
    return [
      ...rows.filter(hasBar).map((row) => row.getAttribute("aria-label") ?? row.outerHTML.slice(0, 120)),
      ...(scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : []),
    ];
  }, ROW_MAX);
}
