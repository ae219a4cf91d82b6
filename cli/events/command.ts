// Defines `sluice events`: events that ask for a movement, dead letters, and notices. A command's code is loaded when the
// command runs.

import type { TriggerKind } from '../../operations/events/trigger-kinds.ts'
import { command, noun } from '../terminal/commander.ts'
import type { CommandContext } from '../terminal/context.ts'
import { CONSENT, JOURNAL, LIST } from '../terminal/options.ts'
import type { TriggerFlags } from './trigger/trigger.ts'

const FILE = ['[file]', 'the request as JSON, as run takes it; - reads standard input'] as const
const POLICY = [
  '[policy]',
  'a policy of treasury.json by its name, or a file with {"policy":NAME}; - reads standard input',
] as const

const TRIGGER_HELP = `The event is checked as the receiving function checks it, and is put only if that function would accept it. Then the
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

const trigger = (kind: TriggerKind, what: string, given: typeof FILE | typeof POLICY, example: string) =>
  command({
    name: kind,
    what: `put an event that asks for ${what}`,
    operands: [given],
    options: [
      ...JOURNAL,
      ['--input <file>', 'the same as a file, whatever its name; - reads standard input'],
      ['--id <id>', "the event's own id, of letters, digits and dashes: the same id moves once (default: a new one)"],
      ['--wait <seconds>', 'how long to wait for its start or its refusal, at most 600 (default: 240)'],
      ['--no-wait', 'end once the bus has the event'],
    ],
    example: `events trigger ${kind} ${example}`,
    help: TRIGGER_HELP,
    load: async () => {
      const { trigger: put } = await import('./trigger/trigger.ts')
      return (operand: string | undefined, flags: TriggerFlags, context: CommandContext) =>
        put(kind, operand === undefined ? flags : { ...flags, given: operand }, context)
    },
  })

const addTrigger = noun(
  {
    name: 'trigger',
    what: 'put an event that asks for a movement on the bus of a running serve, or of AWS',
    example: 'events trigger conversion buy.json --id 2026-01-invoice-17',
  },
  [
    trigger('conversion', 'a conversion', FILE, 'buy.json --id 2026-01-invoice-17'),
    trigger('withdrawal', 'a withdrawal', FILE, 'send.json --id 2026-01-payout-4'),
    trigger('rebalance', 'a run of a policy that converts', POLICY, 'month-end --id 2026-01'),
    trigger('sweep', 'a run of a policy that withdraws', POLICY, 'to-cold --aws'),
  ],
)

const LETTER = ['<id>', 'the letter, or the id of its event'] as const
const LETTER_CODES = 'Exit codes: 0 done, 1 unknown letter, it cannot be put again, or nothing serves, 2 wrong usage.'

const LETTERS_HELP = `The letters are those of a running serve, or with --aws those of AWS. Nothing in the queue has moved money. A letter is
kept for 14 days. Listing receives: for a moment, another command sees fewer letters. With --json: {"letters":
[{"letter", "id", "source", "detailType", "reason", "sentAt", "ageSeconds"}], "hasMore", "hidden"}; hidden counts those that
another command is reading.
${LETTER_CODES}`

const addDeadLetters = noun(
  {
    name: 'dead-letters',
    what: 'events and starts that had no effect: list them, put them again, or drop them',
    example: 'events dead-letters list',
    help: LETTERS_HELP,
  },
  [
    command({
      name: 'list',
      isDefault: true,
      what: 'list them, oldest first',
      options: [...JOURNAL, ...LIST, ['--limit <n>', 'maximum letters (default: 100, at most 1000)']],
      example: 'events dead-letters list --aws',
      help: LETTERS_HELP,
      load: async () => (await import('./dead-letters/letters.ts')).listDeadLetters,
    }),
    command({
      name: 'show',
      what: 'show a letter: its request, and why it had no effect',
      operands: [LETTER],
      options: JOURNAL,
      example: 'events dead-letters show 2026-01-invoice-17',
      help: `It shows the fields that requests have, and names other fields without their values: an event may contain
anything.
${LETTER_CODES}`,
      load: async () => (await import('./dead-letters/letters.ts')).showDeadLetter,
    }),
    command({
      name: 'resend',
      what: 'put its event on the bus again, and delete the letter',
      operands: [LETTER],
      options: JOURNAL,
      example: 'events dead-letters resend 2026-01-invoice-17',
      help: `The event is put unchanged, if the function would accept it. The letter is deleted only after the bus has the event.
A crash between the two leaves both, which is harmless: the same id moves once, however often it is put. An event that
another account put cannot be put from here: the same id would be another execution. A schedule's start is not an
event. docs/runbook.md says what to do with those.
${LETTER_CODES}`,
      load: async () => (await import('./dead-letters/letters.ts')).resendDeadLetter,
    }),
    command({
      name: 'drop',
      what: 'delete a letter for good',
      operands: [LETTER],
      options: [
        ...JOURNAL,
        ['--because <text>', 'why it is not needed'],
        ['--by <name>', 'who decides (default: $USER)'],
        ...CONSENT,
      ],
      example: `events dead-letters drop 2026-01-invoice-17 --because 'asked for twice'`,
      help: `The letter's request is not carried out. Only the output of this command remains of it.
${LETTER_CODES}`,
      load: async () => (await import('./dead-letters/letters.ts')).dropDeadLetter,
    }),
  ],
)

const NOTICE = ['<name>', 'the name of a notice in treasury.json'] as const
const NOTICE_CODES =
  'Exit codes: 0 done, 1 the receiver did not accept it, or nothing serves, 2 wrong usage or configuration.'

const NOTICES_HELP = `docs/notices.md says what a notice contains. A test takes the way of a notice from the function on, and is sent once.
Without --aws it needs a running serve.
${NOTICE_CODES}`

const addNotices = noun(
  {
    name: 'notices',
    what: 'messages to people about events: their addresses, and a test',
    example: 'events notices test ops --aws',
    help: NOTICES_HELP,
  },
  [
    command({
      name: 'set',
      what: 'put the address of a webhook into its secret',
      operands: [NOTICE],
      options: [...JOURNAL, ['--address <file>', 'the address, or {"url","signWith"} as JSON; - reads standard input']],
      example: 'events notices set ops --address slack.txt --aws',
      help: `Whoever knows the address may post there. So it is read from a file, written to Secrets Manager only, and never shown.
With signWith, whsec_ and a key of 24 to 64 bytes in base64, each notice is signed. It counts from the next notice on.
${NOTICE_CODES}`,
      load: async () => (await import('./notices/set-notice.ts')).setNotice,
    }),
    command({
      name: 'test',
      what: 'send a test notice, and report the result',
      operands: [NOTICE],
      options: JOURNAL,
      example: 'events notices test ops --aws',
      help: NOTICES_HELP,
      load: async () => (await import('./notices/set-notice.ts')).testNotice,
    }),
  ],
)

export const addEvents = noun(
  {
    name: 'events',
    what: 'ask by events; dead letters; notices to people',
    example: 'events trigger conversion buy.json --id 2026-01-invoice-17',
  },
  [addTrigger, addDeadLetters, addNotices],
)
