// `sluice events notices test`: has the function that sends notices send a test, and prints the result.

import { NoticeOutcome, noticeReport } from '../../../core/contract/sent-notices.ts'
import { Verb } from '../../../core/contract/states.ts'
import { printable, printableJson } from '../../../core/printable.ts'
import { withEventConnection } from '../../../operations/connection/events/event-connection.ts'
import { FunctionError } from '../../../operations/connection/invoke-function.ts'
import { noticeNamed } from '../../../operations/events/notice-named.ts'
import { ExitCode } from '../../../operations/exit-code.ts'
import { OperationError } from '../../../operations/operation-error.ts'
import { type ConnectionFlags, commandIn, commandWith } from '../../../operations/words/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'

export type TestNoticeFlags = ConnectionFlags

/** Longer than the function may run. */
const TIMEOUT_MS = 70_000

/** @throws OperationError: exit 2 for an unknown notice, exit 1 where the receiver did not accept it */
export async function testNotice(name: string, flags: TestNoticeFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output } = context
  const id = `test-${clock.nowMs()}`
  const outcome = await withEventConnection(flags, 'queue', context, async ({ invoke, treasury }) => {
    noticeNamed(name, treasury)
    const payload = JSON.stringify({ source: 'notice-test', notice: name, id })
    const answer = await invoke(`sluice-${Verb.Notify}`, payload, TIMEOUT_MS).catch((error: unknown) => {
      if (!(error instanceof FunctionError)) throw error
      throw failed(`${name}: ${printable(error.message)}`, nextOf(error.name, name, flags))
    })
    return noticeReport.parse(JSON.parse(answer)).outcome
  })
  if (outcome !== NoticeOutcome.Delivered) {
    throw failed(
      `${name}: what is deployed does not know it yet`,
      flags.aws === true ? 'npm run deploy' : commandWith('serve', flags),
    )
  }
  output.data(output.json ? printableJson({ notice: name, id, outcome }) : `${name}: a test was sent, and accepted`)
  return ExitCode.Done
}

function nextOf(errorName: string, name: string, flags: TestNoticeFlags): string {
  if (errorName === 'Refused') return commandIn(`events notices set ${name} --address FILE`, flags)
  return 'check that the receiver is running and accepts POST at that address, then run the command again'
}

function failed(message: string, next: string): OperationError {
  return new OperationError({ exitCode: ExitCode.Failed, code: 'refused', message, next })
}
