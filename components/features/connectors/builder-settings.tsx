"use client";

import { CUSTOM_AUTHS, type CustomAuth } from "#lib/contract/connector/connector";
import { AUTH_WORDS } from "@/components/features/connectors/auth-words";
import type { ConnectorFormState } from "@/components/features/connectors/use-connector-form";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { Section } from "@/components/ui/lists/section";

/** The connector's name, and how to call its service. */
export function BuilderSettings({ builder, isNew }: { builder: ConnectorFormState; isNew: boolean }) {
  const { settings, form, set, result } = builder;
  const service = settings.auth === "oauth2_authorization_code" ? result?.suggested.service : null;
  return (
    <Section title="Connection to the service" description="Filled from the document if it has these settings.">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label="Name" error={form.problem("name")} isRequired>
          {(control) => (
            <Input
              {...control}
              maxLength={100}
              autoComplete="off"
              name="name"
              value={settings.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label="Slug" error={form.problem("slug")} isRequired hint={isNew ? "used in steps" : "can't be changed"}>
          {(control) => (
            <Input
              {...control}
              isMono
              maxLength={63}
              autoComplete="off"
              disabled={!isNew}
              name="slug"
              value={settings.slug}
              onChange={(event) => set({ slug: event.target.value })}
            />
          )}
        </Field>
        <Field label="Base URL" error={form.problem("base_url")} isRequired hint="paths are appended to it">
          {(control) => (
            <Input
              {...control}
              isMono
              autoComplete="off"
              placeholder="https://api.example.com/v1"
              name="base_url"
              value={settings.baseUrl}
              onChange={(event) => set({ baseUrl: event.target.value })}
            />
          )}
        </Field>
        <Field label="Authentication">
          {(control) => (
            <Select
              {...control}
              name="auth"
              value={settings.auth}
              onChange={(event) => set({ auth: event.target.value as CustomAuth })}
            >
              {CUSTOM_AUTHS.map((auth) => (
                <option key={auth} value={auth}>
                  {AUTH_WORDS[auth]}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      {settings.auth === "none" ? null : (
        <p className="text-dense text-text-3">
          A connector never contains secrets. Each step uses an HTTP API connection, which limits the hosts that receive
          its secret.
          {service
            ? ` To prefill the sign-in settings, choose ${service.name} as the service when you create the connection.`
            : null}
        </p>
      )}
    </Section>
  );
}
