// What an execution's own input says of who asked for it: read loosely, as anyone may start an execution.
import { askedForMovement, askedForRun, runOfPolicy } from '../../core/contract/triggers.ts'

export interface Asked {
  /** The requester's id, where an event asked. */
  readonly id: { readonly id?: string }
  /** The policy, where the input names one: what the result says of itself comes before it. */
  readonly policy: { readonly policy?: string }
}

export function readRequest(input: string | null | undefined): Asked {
  const request = parseObject(input)
  const id = askedForMovement.safeParse(request).data?.requestId ?? askedForRun.safeParse(request).data?.trigger.id
  const policy = runOfPolicy.safeParse(request).data?.policy
  return { id: id === undefined ? {} : { id }, policy: policy === undefined ? {} : { policy } }
}

/** The object that `text` is in JSON; undefined where it is none. */
export function parseObject(text: string | null | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text ?? '')
    return json !== null && typeof json === 'object' && !Array.isArray(json)
      ? (json as Readonly<Record<string, unknown>>)
      : undefined
  } catch {
    return undefined
  }
}
