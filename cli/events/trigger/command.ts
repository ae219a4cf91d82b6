// Defines `sluice events trigger conversion`, `withdrawal`, `rebalance` and `sweep`: options and help. A command's code is
// loaded when the command runs.

import type { TriggerKind } from '../../../operations/events/trigger-kinds.ts'
import { INVOCATION } from '../../terminal/command-line.ts'
import { type AddCommand, addNoun, withJournalOptions } from '../../terminal/commander.ts'
import type { TriggerFlags } from './trigger.ts'

interface TriggerDefinition {
  readonly kind: TriggerKind
  readonly what: string
  readonly given: string
  readonly input: string
  readonly example: string
}

const FILE = 'the request as JSON, as run takes it; - reads standard input'
const POLICY = 'a policy of treasury.json by its name, or a file with {"policy":NAME}; - reads standard input'

const definitions: readonly TriggerDefinition[] = [
  { kind: 'conversion', what: 'a conversion', given: 'file', input: FILE, example: 'buy.json --id 2026-01-invoice-17' },
  { kind: 'withdrawal', what: 'a withdrawal', given: 'file', input: FILE, example: 'send.json --id 2026-01-payout-4' },
  {
    kind: 'rebalance',
    what: 'a run of a policy that converts',
    given: 'policy',
    input: POLICY,
    example: 'month-end --id 2026-01',
  },
  { kind: 'sweep', what: 'a run of a policy that withdraws', given: 'policy', input: POLICY, example: 'to-cold --aws' },
]

export const addTrigger: AddCommand = (events, context, endWith) => {
  const trigger = addNoun(events, {
    name: 'trigger',
    description: 'put an event that asks for a movement on the bus of a running serve, or of AWS',
    example: 'events trigger conversion buy.json --id 2026-01-invoice-17',
  })
  for (const { kind, what, given, input, example } of definitions) {
    withJournalOptions(trigger.command(kind).description(`put an event that asks for ${what}`))
      .argument(`[${given}]`, input)
      .option('--input <file>', 'the same as a file, whatever its name; - reads standard input')
      .option(
        '--id <id>',
        "the event's own id, of letters, digits and dashes: the same id moves once (default: a new one)",
      )
      .option('--wait <seconds>', 'how long to wait for its start or its refusal, at most 600 (default: 240)')
      .option('--no-wait', 'end once the bus has the event')
      .addHelpText('before', `Example:\n  ${INVOCATION} events trigger ${kind} ${example}\n`)
      .addHelpText('after', `\n${HELP}`)
      .action(async (operand: string | undefined, flags: TriggerFlags) => {
        const { trigger: put } = await import('./trigger.ts')
        endWith(await put(kind, operand === undefined ? flags : { ...flags, given: operand }, context))
      })
  }
}

const HELP = `The event is checked as the receiving function checks it, and is put only if that function would accept it. Then the
command waits until the event has begun its execution, or was refused. It does not wait for the execution's end. The
same event put again, by anybody and however often, is one execution: its name follows from the kind, the account and
the id.
With --json: {"outcome","id","source","detailType","stateMachine","execution","eventId"}. outcome is STARTED, PUT (with
--no-wait), or ALREADY_STARTED, where this id was started before and nothing was put. Exit codes:
  0    it has begun, or with --no-wait the bus has it
  1    refused, or nothing serves: nothing was put, or nothing has begun
  2    wrong usage, input or configuration; nothing was put
  3    the bus has it, and it has neither begun nor been refused in time: only the same --id is safe
  130  interrupted; the same command with the same --id is safe`
