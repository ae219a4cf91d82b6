// `sluice payouts template`: writes a file with the contacts that a policy may pay, for a person to fill in. Reads only.

import { readPayoutTemplate } from '../../operations/payouts/payout-template.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { PAYOUT_TEMPLATE } from '../../views/payout-template.ts'
import { counted } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { exportTexts, readPlace } from '../terminal/row-export.ts'
import { type PayFlags, policyOf } from './results.ts'

interface TemplateFlags extends PayFlags {
  readonly out?: string
}

/** @throws OperationError */
export async function writeTemplate(given: TemplateFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { out, ...flags } = given
  const policy = policyOf(flags)
  const file = readPlace(out, context)
  const payees = await exportTexts(PAYOUT_TEMPLATE, file, context, async (take) => {
    const found = await readPayoutTemplate(policy, { flags, context })
    await take(eachOf(found))
    return found
  })
  const lines = payees.reduce((sum, { assets }) => sum + assets.length, 0)
  if (output.json) output.facts({ file, contacts: payees.length, lines })
  const place = file === undefined ? '' : ` in ${file}`
  output.note(`${counted(lines, 'line')} for ${counted(payees.length, 'contact')}${place}: ${TO_DO}`)
  output.next([{ do: 'check-payouts', file: file ?? 'FILE', policy }])
  return ExitCode.Done
}

const TO_DO = 'give each payment an id and an amount, and delete the other lines'

async function* eachOf<Each>(all: readonly Each[]): AsyncGenerator<Each, void> {
  yield* all
}
