// Defines `sluice events`, which holds the commands for the event bus, dead letters and notices.

import { type AddCommand, addNoun } from '../terminal/commander.ts'
import { addDeadLetters } from './dead-letters/command.ts'
import { addNotices } from './notices/command.ts'
import { addTrigger } from './trigger/command.ts'

export const addEvents: AddCommand = (program, context, endWith) => {
  const events = addNoun(program, {
    name: 'events',
    description: 'ask by events; dead letters; notices to people',
    example: 'events trigger conversion buy.json --id 2026-01-invoice-17',
  })
  for (const add of [addTrigger, addDeadLetters, addNotices]) add(events, context, endWith)
}
