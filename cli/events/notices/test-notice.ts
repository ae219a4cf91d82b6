// `sluice events notices test`: has the function that sends notices send a test, and prints the result.

import { printableJson } from '../../../core/printable.ts'
import { sendTestNotice } from '../../../operations/events/send-test-notice.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import type { ConnectionFlags } from '../../../place/words/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'

export type TestNoticeFlags = ConnectionFlags

/** @throws OperationError: exit 2 for an unknown notice, exit 1 where the receiver did not accept it */
export async function testNotice(name: string, flags: TestNoticeFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const sent = await sendTestNotice(name, flags, context)
  output.data(output.json ? printableJson(sent) : `${name}: a test was sent, and accepted`)
  return ExitCode.Done
}
