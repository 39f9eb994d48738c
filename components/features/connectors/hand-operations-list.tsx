"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { callOperation } from "@/components/api/call-operation";
import { HandOperationForm } from "@/components/features/connectors/hand-operation-form";
import { emptyOperation, type HandOperation, toHand } from "@/components/features/connectors/hand-operations";
import { Button } from "@/components/ui/button";
import { randomHex } from "@/components/ui/random-hex";

interface HandOperationsProps {
  operations: readonly HandOperation[];
  onChange: (operations: readonly HandOperation[]) => void;
  /** The slug of a connector whose operations can be copied. */
  replaced: string | null;
}

/** Lets the user describe operations one by one. */
export function HandOperations({ operations, onChange, replaced }: HandOperationsProps) {
  const [error, setError] = useState<string | null>(null);
  async function takeOver(connector: string) {
    setError(null);
    try {
      const { data } = await callOperation("describe_custom_connector", { connector });
      onChange(data.map((described) => toHand(described, randomHex())));
    } catch {
      setError("Couldn't load its operations. Try again.");
    }
  }
  return (
    <div className="flex flex-col gap-3">
      {replaced === null ? null : (
        <div>
          <Button onClick={() => void takeOver(replaced)}>Copy its operations</Button>
        </div>
      )}
      {error === null ? null : (
        <p role="alert" className="text-err">
          {error}
        </p>
      )}
      {operations.map((operation, index) => (
        <HandOperationForm
          key={operation.key}
          operation={operation}
          isOpen={operations.length === 1}
          onChange={(next) => onChange(operations.with(index, next))}
          onRemove={() => onChange(operations.filter(({ key }) => key !== operation.key))}
        />
      ))}
      <div>
        <Button onClick={() => onChange([...operations, emptyOperation(randomHex())])}>
          <Plus aria-hidden className="size-3.5" />
          Add operation
        </Button>
      </div>
    </div>
  );
}
