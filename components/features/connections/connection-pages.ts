/** What one reaches services with: credentials, and what can be asked of a service. */
export const CONNECTION_PAGES = [
  { href: "/connections", label: "Connections" },
  { href: "/connections/connectors", label: "Your connectors" },
] as const;
