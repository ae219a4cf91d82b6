// Defines `sluice policies`. Its code is loaded when it runs.

import { command } from '../terminal/commander.ts'
import { JOURNAL, LIST } from '../terminal/options.ts'

export const addPolicies = command({
  name: 'policies',
  summary: 'list the policies, with their last results',
  what: 'list the policies of treasury.json, with their last results',
  options: [...JOURNAL, ...LIST],
  example: 'policies',
  load: async () => (await import('./policies.ts')).showPolicies,
})
