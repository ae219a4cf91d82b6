// `sluice cases release`: records a person's decision to release the balances that a policy's runs left stranded. No
// later run uses them. The record says who decided, when and why. The command sends nothing.

import { Refused } from '../../core/errors.ts'
import { printable, printableJson } from '../../core/printable.ts'
import { findReleasable } from '../../core/runs/release.ts'
import { askDoor } from '../../operations/connection/ask-door.ts'
import { withJournalConnection } from '../../operations/connection/journal/journal-connection.ts'
import { assertPolicyName } from '../../operations/connection/named-policy.ts'
import type { Consent } from '../../operations/consent.ts'
import { readReason, readWho } from '../../operations/decider.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { OperationError } from '../../operations/operation-error.ts'
import { type ConnectionFlags, commandIn } from '../../operations/words/command-line.ts'
import type { DecisionFlags } from '../terminal/consent.ts'
import { withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'

export interface ReleaseFlags extends ConnectionFlags, DecisionFlags {}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where there is nothing to release */
export async function release(policy: string, flags: ReleaseFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, variables } = context
  assertPolicyName(policy, flags)
  const by = readWho(flags, variables)
  const because = readReason(flags.because)
  const work = (consent: Consent) =>
    withJournalConnection(flags, context, async ({ door, policyRecords }) => {
      if (door !== undefined) {
        const request = { action: 'release', policy, because } as const
        return (await askDoor((agreed) => door.release({ ...request, ...agreed }), consent)).released
      }
      const { carryOut, question } = await findReleasable(policy, policyRecords)
      consent.to(printable(question))
      return carryOut({ by, because, at: new Date(clock.nowMs()).toISOString() })
    }).catch((error: unknown) => Promise.reject(error instanceof Refused ? nothingLeft(error, flags) : error))
  const released = await withConsent(flags, context, work)
  output.data(output.json ? printableJson({ policy, released }) : `released: what runs of ${policy} left stranded`)
  output.next([commandIn('cases list', flags)])
  return ExitCode.Done
}

function nothingLeft(refusal: Refused, flags: ReleaseFlags): OperationError {
  const { message } = refusal
  const next = commandIn('cases list', flags)
  return new OperationError({ exitCode: ExitCode.Failed, code: 'refused', message, next }, { cause: refusal })
}
