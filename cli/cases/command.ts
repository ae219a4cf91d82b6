// Defines `sluice cases` and the commands below it. A command's code is loaded when the command runs.

import { command, noun } from '../terminal/commander.ts'
import { CONSENT, collect, DECISION, JOURNAL, KEYS, LIST } from '../terminal/options.ts'

const list = command({
  name: 'list',
  isDefault: true,
  what: 'list what stopped, or is halted, and waits for a person, with the evidence',
  options: [
    ...JOURNAL,
    ...LIST,
    ['--failed <n>', 'check this many failed executions of each machine, the newest (default: 500)'],
    ['--after <kind#intent>', 'of the open intents, only those after it: continues where a list was cut off'],
  ],
  example: 'cases list',
  help: 'Exit codes: 0 nothing waits for a person, 3 something does (a halt in force, too), 4 only approvals are waited for.',
  load: async () => (await import('./list.ts')).listCases,
})

const again = command({
  name: 'again',
  what: 'enter once more what stopped in doubt, and let it continue',
  operands: [['[id]', 'an intent or a run, as cases list and movements list show it, or the id that it was given']],
  options: [
    ...JOURNAL,
    ...LIST,
    ['--kind <kind>', 'convert, withdraw or run, where the id is of more than one'],
    ['--armed', 'every intent that was sent and is not settled, and the runs that it is a leg of'],
    KEYS,
  ],
  example: 'cases again --armed   # after the service was down',
  help: `Each is entered under its own id, so it is the same movement: it is found and reported, or it is certified that the last
attempt moved nothing. Then its next attempt may be made, within its time. An execution under way is followed. A run
that was cut off before its plan plans now. Exit codes:
  0    nothing is in doubt any more
  1    there is nothing to enter again, or it ended without a movement
  2    wrong usage, configuration or keys
  3    something still needs a person
  130  interrupted; what was begun at a desk or on AWS continues`,
  load: async () => (await import('./decisions.ts')).again,
})

const resolve = command({
  name: 'resolve',
  what: 'record what a person found out about an intent in doubt',
  operands: [['<intent>', 'the intent, as cases list shows it']],
  options: [
    ...JOURNAL,
    ['--movement <id>', 'the withdrawal or order that is its movement'],
    ['--kind <kind>', 'convert or withdraw, where an intent of each has the id'],
    ['--none', 'nothing moved for it'],
    ['--same-account', 'on your responsibility: the key in use and the key that signed belong to one account'],
    ...DECISION,
    KEYS,
    ...CONSENT,
  ],
  example: `cases resolve wd-2b05f662 --movement ID --because 'seen on chain, tx 0x…'`,
  help: `The evidence is examined first, and again before anything is written. The movement must exist, match the request,
and belong to no other intent. --none needs the time past which nothing can arrive, and no movement left that may be
it. A contradiction is reported, with exit 1. It sends nothing.
--same-account is for a key that was replaced where the old or the new one may not read its account (accounts:read).
Evidence that the new key sees then counts on your responsibility, which is recorded. It never counts for a key that is
known to belong to another account, or to the other environment.`,
  load: async () => (await import('./decisions.ts')).resolve,
})

const foreign = command({
  name: 'foreign',
  what: 'record that somebody else made a movement on the account',
  operands: [['<movement>', 'id of the withdrawal or order, as cases list and journal audit show it']],
  options: [
    ...JOURNAL,
    ['--kind <kind>', 'order or withdrawal, where both have that id'],
    ['--not-of <intent>', 'an intent in doubt that did not make it; may be repeated', collect],
    ...DECISION,
    KEYS,
    ...CONSENT,
  ],
  example: `cases foreign wd_5f66 --because 'paid by hand on Monday'`,
  help: `It then blocks no intent in doubt, and the audit counts it as others'. Refused where an intent has
claimed it, or where it may belong to an unsettled intent. For each intent that waits for a person and may have made it,
--not-of says that it did not: --yes alone is not enough. It sends nothing.`,
  load: async () => (await import('./decisions.ts')).foreign,
})

const release = command({
  name: 'release',
  what: 'write off balances that runs of a policy left stranded',
  operands: [['<policy>', 'the policy, as cases list shows it']],
  options: [...JOURNAL, ...DECISION, ...CONSENT],
  example: `cases release old-sweep --because 'sent by hand on Monday'`,
  help: 'No later run takes them up, and neither plans nor cases list show them again. It sends nothing.',
  load: async () => (await import('./decisions.ts')).release,
})

export const addCases = noun(
  { name: 'cases', what: 'cases that wait for a person: list, again, settle', example: 'cases list' },
  [list, again, resolve, foreign, release],
)
