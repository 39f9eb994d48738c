import { expect, test } from "vitest";
import { appendQuery, setQueryParameter } from "#lib/support/urls/url-query";

test.each([
  ["https://h/x", "https://h/x?a=1"],
  ["https://h", "https://h?a=1"],
  ["https://h/x?", "https://h/x?a=1"],
  ["https://h/x?b=2", "https://h/x?b=2&a=1"],
  ["https://h/x?b=2&", "https://h/x?b=2&a=1"],
  ["https://h/x?b=%20%2F+%E9&flag&=&;c", "https://h/x?b=%20%2F+%E9&flag&=&;c&a=1"],
  ["https://h/x?a=0&a=%00", "https://h/x?a=0&a=%00&a=1"],
  ["https://h/x?u=https://y/?z", "https://h/x?u=https://y/?z&a=1"],
  ["https://h/x#frag?y", "https://h/x?a=1#frag?y"],
  ["https://h/x?b#frag", "https://h/x?b&a=1#frag"],
])("what is in %s stays byte for byte when a query is added", (url, added) => {
  expect(appendQuery(url, "a=1")).toBe(added);
  expect(appendQuery(url, "")).toBe(url);
});

test.each([
  ["https://h/x", "https://h/x?key=s+1"],
  ["https://h/x?b=%20&flag&c=%E9#f", "https://h/x?b=%20&flag&c=%E9&key=s+1#f"],
  ["https://h/x?key=old&b=%20&k%65y=2&key", "https://h/x?key=s+1&b=%20"],
  ["https://h/x??key=1&b", "https://h/x??key=1&b&key=s+1"],
  ["https://h/x?b=key=1&", "https://h/x?b=key=1&key=s+1"],
])("a parameter that is set replaces those of its name in %s, and nothing else", (url, set) => {
  expect(setQueryParameter(url, "key", "s 1")).toBe(set);
});
