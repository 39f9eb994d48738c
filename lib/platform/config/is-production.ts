/** Returns true in a built web server and its workers; false in the development server and in tests. */
export function isProduction(): boolean {
  return process.env.NODE_ENV === "production";
}
