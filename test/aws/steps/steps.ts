// Lists the test of a real account, top to bottom: each step with what it leaves in the account and what it removes.
import { sinceTime } from '../setup.ts'
import type { Step } from '../step.ts'
import { deployChange, inspectAccount, putKeys } from './deployments.ts'
import { assertUnderWay, holdOne, letGo } from './in-flight.ts'
import { auditAll, convertAgain, convertOnce } from './movements.ts'
import { destroyAll, takeDown } from './taking-down.ts'

/** Ids of the conversions. Each moves the amount of --input once, and so does the one in flight. */
const FIRST = 'first'
const UPDATED = 'updated'
const ROLLED_BACK = 'rolled-back'

const WALK: readonly Step[] = [
  { name: 'before', what: 'Nothing stands in the way, and nothing of this environment is there.', run: inspectAccount },
  {
    name: 'deploy',
    what: 'The first deployment.',
    leaves: ['stacks', 'journal'],
    run: async (walk) => {
      await walk.must(walk.user.deploy('first', true))
    },
  },
  { name: 'keys', what: 'The keys are put.', leaves: ['secrets'], run: putKeys },
  {
    name: 'verify',
    what: 'What is deployed is as it should be.',
    run: async (walk) => {
      await walk.must(walk.user.verifyDeployed('first'))
    },
  },
  {
    name: 'convert',
    what: 'A conversion moves once.',
    run: async (walk) => {
      await convertOnce(walk, FIRST, 'first')
    },
  },
  { name: 'again', what: 'The same id again moves nothing.', run: (walk) => convertAgain(walk, FIRST, 'first') },
  { name: 'hold', what: 'A conversion is under way, and a halt holds it.', leaves: ['halt'], run: holdOne },
  {
    name: 'update',
    what: 'A guard changes. The conversion is still under way then.',
    run: async (walk) => {
      await deployChange(walk, 'updated')
      await assertUnderWay(walk)
    },
  },
  { name: 'let-go', what: 'It ends on the versions with which it began.', removes: ['halt'], run: letGo },
  {
    name: 'after-update',
    what: 'A known id moves nothing, and a new one moves once.',
    run: async (walk) => {
      await convertAgain(walk, FIRST, 'updated')
      await convertOnce(walk, UPDATED, 'updated')
    },
  },
  { name: 'roll-back', what: 'The first file is deployed again.', run: (walk) => deployChange(walk, 'first') },
  {
    name: 'after-roll-back',
    what: 'Known ids move nothing, and a new one moves once.',
    run: async (walk) => {
      await convertAgain(walk, UPDATED, 'first')
      await convertOnce(walk, ROLLED_BACK, 'first')
    },
  },
  { name: 'audit', what: 'All that moved ties out.', run: (walk) => auditAll(walk, sinceTime(walk.setup)) },
  {
    name: 'take-down',
    what: 'The stacks are deleted. The journal stays, protected.',
    removes: ['stacks'],
    run: takeDown,
  },
  {
    name: 'deploy-again',
    what: 'A new deployment takes the journal over: known ids move nothing.',
    leaves: ['stacks'],
    run: async (walk) => {
      await walk.must(walk.user.deploy('first', true))
      await walk.must(walk.user.verifyDeployed('first'))
      for (const what of [FIRST, UPDATED, ROLLED_BACK]) await convertAgain(walk, what, 'first')
    },
  },
  {
    name: 'take-down-again',
    what: 'The stacks are deleted again. The journal stays.',
    removes: ['stacks'],
    run: takeDown,
  },
]

const DESTROY: Step = {
  name: 'destroy',
  what: 'What is left is deleted: stacks, journal and keys, for good.',
  removes: ['stacks', 'journal', 'secrets', 'halt'],
  run: destroyAll,
}

/** In order. The last one runs only with --destroy. */
export function stepsOf(isDestroying: boolean): readonly Step[] {
  return isDestroying ? [...WALK, DESTROY] : WALK
}

export const STEP_NAMES: readonly string[] = stepsOf(true).map(({ name }) => name)
