/** The pages about reaching services: connections, connectors, and the user's own connectors. */
export const CONNECTION_PAGES = [
  { href: "/connections", label: "Connections" },
  { href: "/connections/connectors", label: "Your connectors" },
] as const;
