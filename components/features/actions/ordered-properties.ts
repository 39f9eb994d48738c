/**
 * Orders the properties for display: the required ones as the schema lists them, then the rest by name. The stored
 * schema does not keep the author's order of the properties.
 */
export function orderedProperties<Property>(
  properties: Record<string, Property>,
  required: readonly string[],
): [string, Property][] {
  const rest = Object.keys(properties)
    .filter((name) => !required.includes(name))
    .sort();
  return [...required, ...rest].flatMap((name) => {
    const property = properties[name];
    return property === undefined ? [] : [[name, property] satisfies [string, Property]];
  });
}
