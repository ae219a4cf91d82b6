// DeclareForeign: a person declares, on AWS, that a movement on the account is foreign. Examines the movement and the
// intents in doubt, and asks. When the person agrees it examines again, and records the declaration under the identity
// that signed. Sends nothing.
import type { Clock } from '../../core/clock.ts'
import type { AsksAnswer, DeclareForeignAnswer, DeclareForeignRequest } from '../../core/contract/people.ts'
import type { Speaker } from '../../core/journal/accepted-requests.ts'
import { questionHash } from '../../core/journal/persons-question.ts'
import { type DeclarePorts, examineForeign } from '../../core/movements/withdrawal/examine-foreign.ts'

export interface DeclareForeignPorts extends Omit<DeclarePorts, 'laggingAtMs'> {
  readonly clock: Pick<Clock, 'nowMs'>
}

/**
 * @throws Refused with the reason.
 * @throws Transient, KeyFault, Defect
 */
export async function declareForeign(
  { agreed, because, kind, movement: movementId, notOf }: DeclareForeignRequest,
  speaker: Speaker,
  ports: DeclareForeignPorts,
): Promise<DeclareForeignAnswer | AsksAnswer> {
  const laggingAtMs = ports.clock.nowMs()
  const { carryOut, question } = await examineForeign({ movementId, kind, notOf }, { ...ports, laggingAtMs })
  if (agreed !== questionHash(question)) return { outcome: 'ASKS', question }
  const { foreign, waiting } = await carryOut({ ...speaker, because })
  return { outcome: 'DECLARED', foreign, waiting: [...waiting] }
}
