// Makes a sandbox produce faults while some work runs, and says which of them requests met. It uses the sandbox's
// public control API. Afterwards it removes the remaining faults, even if the work failed, unless the sandbox does not
// answer.

import * as z from 'zod/mini'
import { errorText } from '../../../core/error-name.ts'
import { advice, option } from '../../../place/next-step.ts'
import { failedWith } from '../../../place/operation-error.ts'
import type { WantedFault } from './wanted-faults.ts'

/** The use of one fault at one path. */
export interface MetFault {
  readonly fault: string
  /** Such as `POST /v2/orders`. */
  readonly request: string
  readonly met: number
  /** In words. */
  readonly what: string
}

interface Rule {
  readonly id: string
  readonly fault: Omit<MetFault, 'met'>
}

const TIMEOUT_MS = 5_000

/** An answer that no sandbox gives. */
class Unlike extends Error {}

const added = z.object({ id: z.string() })
const listed = z.object({ rules: z.array(z.object({ id: z.string(), met: z.number() })) })

/** `onMet` gets what was met, even where the work fails; not where the sandbox has ended meanwhile. */
export async function withFaults<Result>(
  controlUrl: string,
  faults: readonly WantedFault[],
  onMet: (met: readonly MetFault[]) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const rules: Rule[] = []
  try {
    for (const { name, what, fault, paths } of faults) {
      for (const path of paths) {
        const rule = { match: { method: 'POST', path }, fault }
        const { id } = await ask(controlUrl, 'POST', '/rules', added, rule)
        rules.push({ id, fault: { fault: name, what, request: `POST ${path}` } })
      }
    }
    return await work()
  } finally {
    await removeRules(controlUrl, rules, onMet).catch(() => undefined)
  }
}

async function removeRules(controlUrl: string, rules: readonly Rule[], onMet: (met: readonly MetFault[]) => void) {
  const known = await ask(controlUrl, 'GET', '/rules', listed)
  const metOf = new Map(known.rules.map(({ id, met }) => [id, met]))
  onMet(rules.map(({ id, fault }) => ({ ...fault, met: metOf.get(id) ?? 0 })))
  for (const { id } of rules) await ask(controlUrl, 'DELETE', `/rules/${id}`, listed)
}

/** @throws OperationError (exit 1) where no sandbox answers there */
async function ask<Schema extends z.ZodMiniType>(
  controlUrl: string,
  method: string,
  path: string,
  answer: Schema,
  body?: object,
): Promise<z.output<Schema>> {
  try {
    const response = await fetch(controlUrl + path, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.ok) return answer.parse(await response.json())
    throw new Unlike(`it answered ${response.status}`)
  } catch (error) {
    throw failedWith(
      'unreachable',
      advice`${option('fault')}: the control API of the sandbox did not answer as a sandbox does (${whyOf(error)})`,
      advice`check that ${option('control')} names the controlUrl of a sandbox that runs`,
      error,
    )
  }
}

function whyOf(error: unknown): string {
  if (error instanceof z.core.$ZodError) return 'another answer'
  return error instanceof Unlike ? error.message : errorText(error)
}

/**
 * A line such as `met: lost answer to POST /orders, once` for each fault that was met, or one line if no fault was met.
 */
export function metLines(met: readonly MetFault[]): readonly string[] {
  const lines = met.filter((each) => each.met > 0).map(lineOf)
  if (lines.length > 0) return lines
  const names = [...new Set(met.map(({ fault }) => fault))]
  return [`met: no fault; ${names.join(', ')} had no effect`]
}

function lineOf({ what, request, met: times }: MetFault): string {
  const join = what.endsWith('answer') ? 'to' : 'at'
  return `met: ${what} ${join} ${request.replace('/v2/', '/')}, ${times === 1 ? 'once' : `${times} times`}`
}
