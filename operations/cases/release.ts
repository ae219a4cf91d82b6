// Records a person's decision to release the balances that a policy's runs left stranded. No later run uses them. The
// record says who decided, when and why. It sends nothing.

import { Refused } from '../../core/errors.ts'
import { printable } from '../../core/printable.ts'
import { findReleasable } from '../../core/runs/release.ts'
import { askDoor } from '../../place/aws/ask-door.ts'
import type { Consent, WithConsent } from '../../place/consent.ts'
import type { OperationContext } from '../../place/context.ts'
import { readReason, readWho, type Who } from '../../place/decider.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import { assertPolicyName } from '../../place/named-policy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'

/** Who releases, and why. */
interface ReleaseInput extends Pick<Who, 'by'> {
  readonly because?: string
}

export interface ReleasedBalances {
  readonly policy: string
  readonly released: object
}

/**
 * @throws OperationError: exit 2 for wrong usage, exit 1 where there is nothing to release; and what `withConsent`
 * throws
 */
export async function releaseBalances(
  policy: string,
  asked: ReleaseInput,
  flags: ConnectionFlags,
  withConsent: WithConsent,
  context: OperationContext,
): Promise<ReleasedBalances> {
  assertPolicyName(policy)
  const by = readWho({ ...flags, ...asked }, context.variables)
  const because = readReason(asked.because)
  const work = (consent: Consent) =>
    withJournalConnection(flags, context, async ({ door, policyRecords }) => {
      if (door !== undefined) {
        const request = { action: 'release', policy, because } as const
        return (await askDoor((agreed) => door.release({ ...request, ...agreed }), consent)).released
      }
      const { carryOut, question } = await findReleasable(policy, policyRecords)
      consent.to(printable(question))
      return carryOut({ by, because, at: new Date(context.clock.nowMs()).toISOString() })
    }).catch((error: unknown) => Promise.reject(error instanceof Refused ? nothingLeft(error) : error))
  return { policy, released: await withConsent(work) }
}

function nothingLeft(refusal: Refused): OperationError {
  return failedWith('refused', refusal.message, { do: 'list-cases' }, refusal)
}
