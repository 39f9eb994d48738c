import { expect, test } from "vitest";
import { describeUserAgent } from "@/components/words/user-agent";

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36", "Chrome on Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0.0.0 Safari/537.36 Edg/141.0", "Edge on Linux"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1", "Safari on iOS"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko Firefox/145.0", "Firefox on macOS"],
  ["curl/8.14", "curl"],
  ["", "Unknown browser"],
])("%s is %s", (userAgent, words) => {
  expect(describeUserAgent(userAgent)).toBe(words);
});
