import { render } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { formatDateTime } from "#lib/support/format/format-moment";
import { setReader } from "#lib/support/format/reader";
import { RelativeTime } from "@/components/words/relative-time";
import { useReader } from "@/components/words/use-reader";

const AT = "2026-11-21T05:08:37.000Z";

function Moments() {
  const reader = useReader();
  return (
    <p>
      <RelativeTime at={AT} />, {formatDateTime(AT, reader)}
    </p>
  );
}

test("a reader elsewhere takes over the server's HTML without a mismatch and then sees local times", () => {
  const reported = vi.spyOn(console, "error");
  onTestFinished(() => reported.mockRestore());
  const place = document.body.appendChild(document.createElement("div"));
  place.innerHTML = renderToString(<Moments />);
  expect(place.textContent).toBe("Nov 21, 2026, 5:08:37 AM UTC, Sat, Nov 21, 2026, 5:08 AM UTC");

  setReader({ locale: "en-DE", timeZone: "Europe/Berlin" });
  const onRecoverableError = vi.fn();
  render(<Moments />, { container: place, hydrate: true, onRecoverableError });
  expect(place.textContent).toMatch(/, Sat, 21 Nov 2026, 06:08 CET$/);
  expect(place.querySelector("time")?.title).toBe("21 Nov 2026, 06:08:37 CET");
  expect(place.querySelector("time")?.textContent).not.toContain("Nov");
  expect(onRecoverableError).not.toHaveBeenCalled();
  expect(reported).not.toHaveBeenCalled();
});
