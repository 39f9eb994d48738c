/** Returns `base`, or the first free name of base_2, base_3 and so on. */
export function nextFreeName(base: string, taken: ReadonlySet<unknown>, separator = "_"): string {
  let name = base;
  for (let suffix = 2; taken.has(name); suffix += 1) name = `${base}${separator}${suffix}`;
  return name;
}
