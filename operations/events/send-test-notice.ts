// Has the function that sends notices send a test to the receiver of one notice, which it finds by its name in
// treasury.json.

import type { Notice } from '../../core/contract/notices.ts'
import { NoticeOutcome, noticeReport } from '../../core/contract/sent-notices.ts'
import { Verb } from '../../core/contract/states.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { printable } from '../../core/printable.ts'
import { nearestHint } from '../../core/treasury/nearest-name.ts'
import { FunctionError } from '../../place/aws/invoke-function.ts'
import type { OperationContext } from '../../place/context.ts'
import { withEventConnection } from '../../place/events/event-connection.ts'
import { type Advice, type ConnectionFlags, DEPLOY } from '../../place/next-step.ts'
import { failedWith, type OperationError, usageError } from '../../place/operation-error.ts'
import { isOnAws } from '../../place/settings.ts'

/** Longer than the function may run. */
const TIMEOUT_MS = 70_000

interface SentTest {
  readonly notice: string
  readonly id: string
  readonly outcome: NoticeOutcome
}

/** @throws OperationError: exit 2 for an unknown notice, exit 1 where the receiver did not accept it */
export async function sendTestNotice(
  name: string,
  flags: ConnectionFlags,
  context: OperationContext,
): Promise<SentTest> {
  const id = `test-${context.clock.nowMs()}`
  const outcome = await withEventConnection(flags, 'queue', context, async ({ invoke, treasury }) => {
    noticeNamed(name, treasury)
    const payload = JSON.stringify({ source: 'notice-test', notice: name, id })
    const answer = await invoke(`sluice-${Verb.Notify}`, payload, TIMEOUT_MS).catch((error: unknown) => {
      if (!(error instanceof FunctionError)) throw error
      throw failed(`${name}: ${printable(error.message)}`, nextOf(error.name, name))
    })
    return noticeReport.parse(JSON.parse(answer)).outcome
  })
  if (outcome === NoticeOutcome.Delivered) return { notice: name, id, outcome }
  throw failed(`${name}: what is deployed does not know it yet`, isOnAws(flags) ? DEPLOY : { do: 'serve' })
}

function nextOf(errorName: string, name: string): Advice {
  if (errorName === 'Refused') return { do: 'set-notice', notice: name }
  return 'check that the receiver is running and accepts POST at that address, then run the command again'
}

function failed(message: string, next: Advice): OperationError {
  return failedWith('refused', message, next)
}

/** @throws OperationError (exit 2) for an unknown name */
export function noticeNamed(name: string, { notices = [] }: Pick<Treasury, 'notices'>): Notice {
  const found = notices.find((notice) => notice.name === name)
  if (found !== undefined) return found
  const names = notices.map((notice) => notice.name)
  const known = names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
  const message = `treasury.json has no notice ${printable(name)}${nearestHint(name, names)}; ${known}`
  throw usageError('configuration', message, 'name one of "notices" in treasury.json: docs/notices.md')
}
