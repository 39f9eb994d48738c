import { expect, test } from "vitest";
import { applyZoomLook, ZOOM_MAX, ZOOM_MIN, zoomLook } from "@/components/canvas/view/zoom-look";

const READABLE_PX = 9;

test("names have at least 9 pixels on the screen at every zoom that shows them", () => {
  for (let percent = 100 * ZOOM_MIN; percent <= 100 * ZOOM_MAX; percent += 1) {
    const { level, titlePx } = zoomLook(percent / 100);
    if (level !== "dots") expect(titlePx * (percent / 100), `at ${percent}%`).toBeGreaterThanOrEqual(READABLE_PX);
  }
});

test.each([
  [1, "cards"],
  [0.6, "cards"],
  [0.5, "titles"],
  [0.3, "names"],
  [0.25, "names"],
  [0.24, "dots"],
  [ZOOM_MIN, "dots"],
] as const)("at a zoom of %s the cards show %s", (zoom, level) => {
  expect(zoomLook(zoom).level).toBe(level);
});

test("zooming within one level changes nothing on the page", async () => {
  const pane = document.createElement("section");
  applyZoomLook(pane, 0.8);
  const changes: MutationRecord[] = [];
  const observer = new MutationObserver((records) => changes.push(...records));
  observer.observe(pane, { attributes: true });
  applyZoomLook(pane, 1);
  applyZoomLook(pane, 1.4);
  expect(observer.takeRecords()).toEqual([]);
  applyZoomLook(pane, 0.2);
  expect(observer.takeRecords()).not.toEqual([]);
  expect(pane.dataset.zoom).toBe("dots");
});

test("the cards change a part in each frame, to the last look, and a new card has it at once", async () => {
  const pane = document.createElement("section");
  const addCard = () => {
    const card = document.createElement("div");
    card.className = "react-flow__node";
    pane.append(card);
    return card;
  };
  const cards = Array.from({ length: 60 }, addCard);
  const levels = () => cards.map(({ dataset }) => dataset.zoom);
  const most = (dots: number) => cards.map((_, at) => (at < dots ? "dots" : "cards"));
  const nextFrame = () => new Promise((done) => requestAnimationFrame(done));
  applyZoomLook(pane, 1);
  expect(levels()).toEqual(most(0));
  applyZoomLook(pane, 0.5);
  applyZoomLook(pane, 0.2);
  expect(levels()).toEqual(most(0));
  await nextFrame();
  expect(levels()).toEqual(most(25));
  const added = addCard();
  await nextFrame();
  await nextFrame();
  expect(levels()).toEqual(most(60));
  expect(added.dataset.zoom).toBe("dots");
  expect(added.style.getPropertyValue("--card-title")).toBe("40px");
});
