// Resolve: takes a person's decision on an intent in doubt, on AWS. Examines the evidence, and asks. When the person
// agrees it examines again, and records the decision under the identity that signed. Sends nothing.
import type { AsksAnswer, ResolveAnswer, ResolveRequest } from '../../core/contract/people.ts'
import { Defect } from '../../core/errors.ts'
import type { Speaker } from '../../core/journal/accepted-requests.ts'
import { questionHash } from '../../core/journal/persons-question.ts'
import { examineDoubt, type ResolvePorts } from '../../core/movements/resolve-doubt.ts'

/**
 * @throws Refused with the reason.
 * @throws Transient, KeyFault, Defect
 */
export async function resolve(
  { agreed, because, intent: intentId, kind, movement, sameAccount: isSameAccount }: ResolveRequest,
  speaker: Speaker,
  ports: ResolvePorts,
): Promise<ResolveAnswer | AsksAnswer> {
  const { carryOut, question } = await examineDoubt(
    { kind, intentId, movementId: movement ?? undefined, isSameAccount },
    ports,
  )
  if (agreed !== questionHash(question)) return { outcome: 'ASKS', question }
  const { resolution, state } = await carryOut({ ...speaker, because })
  if (resolution === undefined) throw new Defect(`intent ${intentId} was settled without a resolution`)
  return { outcome: 'RESOLVED', state, resolution }
}
