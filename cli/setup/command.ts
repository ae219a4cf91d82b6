// Defines `sluice setup`, which holds the commands for the first set-up, and for changes of the configuration.

import { type AddCommand, addNoun } from '../terminal/commander.ts'
import { addCompletion } from './completion/command.ts'
import { addDiff } from './diff/command.ts'
import { addDoctor } from './doctor/command.ts'
import { addInit } from './init/command.ts'
import { addRepository } from './repository/command.ts'

export const addSetup: AddCommand = (program, context, endWith) => {
  const setup = addNoun(program, {
    name: 'setup',
    description: 'write a treasury.json, and check a set-up',
    example: 'setup doctor',
  })
  for (const add of [addInit, addRepository, addDoctor, addDiff, addCompletion]) add(setup, context, endWith)
}
