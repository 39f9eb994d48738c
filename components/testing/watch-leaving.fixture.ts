import { type Mock, vi } from "vitest";

/**
 * Records the addresses to which the page sends the browser with a full load, which jsdom cannot do. Lasts until the
 * test ends.
 */
export function watchLeaving(): Mock<(address: string) => void> {
  const leave = vi.fn<(address: string) => void>();
  const { location } = window;
  // The parts of a real location cannot be replaced, even behind a proxy for it.
  const watched = new Proxy({} as Location, {
    get: (_, name) => (name === "assign" ? leave : Reflect.get(location, name)),
    set: (_, name, value: string) => {
      if (name === "href") leave(value);
      return name === "href";
    },
  });
  vi.stubGlobal("location", watched);
  return leave;
}
