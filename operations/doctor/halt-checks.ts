// Checks whether a person or a breaker has halted sending. Everything else may work, and still nothing would be sent.
// Reads only.

import type { OperationContext } from '../../place/context.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { findHalts } from '../cases/find-halts.ts'
import { haltedText, resumeStep } from '../words/halt-words.ts'
import { type Check, ok, warn } from './check.ts'

const CHECK = 'halts'

export async function haltChecks(flags: ConnectionFlags, context: OperationContext): Promise<readonly Check[]> {
  const found = await findHalts(flags, context)
  if ('why' in found) return [warn(CHECK, `not checked: ${found.why}`, { do: 'list-cases' })]
  if (found.found.length === 0) return [ok(CHECK, 'nothing is halted')]
  return found.found.map((halt) =>
    warn(CHECK, `halted: ${haltedText(halt)}; nothing of it is sent`, resumeStep(halt.scope)),
  )
}
