// `sluice notices test`: has the function that tells people send a test by one notice, and says what came of it.
import { Verb } from '../../core/contract/states.ts'
import { NoticeOutcome, noticeReport } from '../../core/contract/told-notices.ts'
import { withEventTarget } from '../target/events/event-target.ts'
import { FunctionError } from '../target/invoke-function.ts'
import { CommandError } from '../terminal/command-error.ts'
import { commandIn, commandWith, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { printable, printableJson } from '../terminal/printable.ts'
import { noticeNamed } from './notice-named.ts'

export type TestNoticeFlags = TargetFlags

/** Longer than it may run. */
const TIMEOUT_MS = 70_000

/** @throws CommandError: exit 2 for a notice that there is not, exit 1 where it was not taken */
export async function testNotice(name: string, flags: TestNoticeFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output } = context
  const id = `test-${clock.nowMs()}`
  const outcome = await withEventTarget(flags, 'queue', context, async ({ invoke, treasury }) => {
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
  output.data(output.json ? printableJson({ notice: name, id, outcome }) : `${name}: a test was sent, and taken`)
  return ExitCode.Done
}

function nextOf(errorName: string, name: string, flags: TestNoticeFlags): string {
  if (errorName === 'Refused') return commandIn(`notices set ${name} --address FILE`, flags)
  return 'see whether the receiver is there and takes POST at that address, then run the command again'
}

function failed(message: string, next: string): CommandError {
  return new CommandError({ exitCode: ExitCode.Failed, code: 'refused', message, next })
}
