// The definition of `sluice events`, which holds what goes over the event bus and comes back from it.

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
