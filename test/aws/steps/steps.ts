// Lists the test of a real account, top to bottom: each step with what it leaves in the account and what it removes.
import { sinceTime } from '../setup.ts'
import type { Step } from '../step.ts'
import { deployChange, inspectAccount, putKeys } from './deployments.ts'
import { assertUnderWay, holdOne, letGo } from './in-flight.ts'
import { auditAll, convertAgain, convertOnce } from './movements.ts'
import {
  backUpOnce,
  copyBackup,
  deployByOwnRole,
  hearAlarm,
  keepAlias,
  redriveOne,
  restoreBackup,
  seeSourceArn,
} from './only-aws.ts'
import { destroyAll, takeDown } from './taking-down.ts'

/** Ids of the conversions. Each moves the amount of --input once, and so does the one in flight. */
const FIRST = 'first'
const UPDATED = 'updated'
const ROLLED_BACK = 'rolled-back'

/** USD for an hour of a deployment without runs (docs/performance.md). */
const IDLE_HOUR = 15 / 730
/** USD for a conversion, rounded up. */
const CONVERSION = 0.01

const WALK: readonly Step[] = [
  {
    name: 'before',
    what: 'Nothing stands in the way, and nothing of this environment is there.',
    plan: { creates: 'nothing', usd: 0, moves: 'nothing', minutes: 3 },
    run: inspectAccount,
  },
  {
    name: 'deploy',
    what: 'The first deployment.',
    plan: {
      creates: 'the four stacks, with the journal, its vault and a key',
      usd: IDLE_HOUR,
      moves: 'nothing',
      minutes: 20,
    },
    // AWS Backup makes one each night too.
    leaves: ['stacks', 'journal', 'backups'],
    run: async (walk) => {
      await walk.must(walk.user.deploy('first', true))
    },
  },
  {
    name: 'keys',
    what: 'The keys are put.',
    plan: { creates: 'the secrets', usd: 0.01, moves: 'nothing', minutes: 1 },
    leaves: ['secrets'],
    run: putKeys,
  },
  {
    name: 'verify',
    what: 'What is deployed is as it should be.',
    plan: { creates: 'nothing', usd: 0, moves: 'nothing', minutes: 3 },
    run: async (walk) => {
      await walk.must(walk.user.verifyDeployed('first'))
    },
  },
  {
    name: 'convert',
    what: 'A conversion moves once.',
    plan: { creates: 'nothing', usd: CONVERSION, moves: 'the amount of --input, once', minutes: 2 },
    run: async (walk) => {
      await convertOnce(walk, FIRST, 'first')
    },
  },
  {
    name: 'again',
    what: 'The same id again moves nothing.',
    plan: { creates: 'nothing', usd: 0, moves: 'nothing', minutes: 2 },
    run: (walk) => convertAgain(walk, FIRST, 'first'),
  },
  {
    name: 'hold',
    what: 'A conversion is under way, and a halt holds it.',
    plan: { creates: 'an execution that waits, and a halt', usd: CONVERSION, moves: 'nothing', minutes: 2 },
    leaves: ['halt'],
    run: holdOne,
  },
  {
    name: 'update',
    what: 'A guard changes. The conversion is still under way then.',
    plan: { creates: 'nothing', usd: IDLE_HOUR, moves: 'nothing', minutes: 15 },
    run: async (walk) => {
      await deployChange(walk, 'updated')
      await assertUnderWay(walk)
    },
  },
  {
    name: 'let-go',
    what: 'It ends on the versions with which it began.',
    plan: { creates: 'nothing', usd: 0, moves: 'the amount, once', minutes: 10 },
    removes: ['halt'],
    run: letGo,
  },
  {
    name: 'after-update',
    what: 'A known id moves nothing, and a new one moves once.',
    plan: { creates: 'nothing', usd: CONVERSION, moves: 'the amount, once', minutes: 3 },
    run: async (walk) => {
      await convertAgain(walk, FIRST, 'updated')
      await convertOnce(walk, UPDATED, 'updated')
    },
  },
  {
    name: 'roll-back',
    what: 'The first file is deployed again. The alias of the key of decisions stays.',
    plan: { creates: 'nothing', usd: IDLE_HOUR, moves: 'nothing', minutes: 15 },
    run: (walk) => keepAlias(walk, () => deployChange(walk, 'first')),
  },
  {
    name: 'after-roll-back',
    what: 'Known ids move nothing, and a new one moves once.',
    plan: { creates: 'nothing', usd: CONVERSION, moves: 'the amount, once', minutes: 3 },
    run: async (walk) => {
      await convertAgain(walk, UPDATED, 'first')
      await convertOnce(walk, ROLLED_BACK, 'first')
    },
  },
  {
    name: 'redrive',
    what: 'An execution that was stopped under a halt is redriven, and moves once.',
    plan: { creates: 'an execution, and a halt', usd: CONVERSION, moves: 'the amount, once', minutes: 10 },
    leaves: ['halt'],
    removes: ['halt'],
    run: redriveOne,
  },
  {
    name: 'source-arn',
    what: 'A denial shows with which ARN IAM sees a function, with or without its version.',
    plan: { creates: 'a policy that denies the audit the journal, for minutes', usd: 0, moves: 'nothing', minutes: 5 },
    leaves: ['denial'],
    removes: ['denial'],
    run: seeSourceArn,
  },
  {
    name: 'alarm',
    what: 'The denied audits have rung an alarm by its metric.',
    plan: { creates: 'nothing', usd: 0, moves: 'nothing', minutes: 10 },
    run: hearAlarm,
  },
  {
    name: 'own-role',
    what: "CloudFormation changes the journal's policy by a role of one's own.",
    plan: { creates: 'a role', usd: IDLE_HOUR, moves: 'nothing', minutes: 20 },
    leaves: ['role'],
    run: deployByOwnRole,
  },
  {
    name: 'backup',
    what: 'AWS Backup makes a backup of the journal.',
    plan: { creates: 'a recovery point', usd: 0.01, moves: 'nothing', minutes: 15 },
    run: backUpOnce,
  },
  {
    name: 'copy',
    what: 'The backup is copied to another region.',
    plan: { creates: 'a vault and a recovery point there', usd: 0.01, moves: 'nothing', minutes: 20 },
    run: copyBackup,
  },
  {
    name: 'restore',
    what: 'The backup is restored into another table.',
    plan: { creates: 'a table', usd: 0.01, moves: 'nothing', minutes: 30 },
    leaves: ['restored'],
    run: restoreBackup,
  },
  {
    name: 'audit',
    what: 'All that moved ties out.',
    plan: { creates: 'nothing', usd: 0, moves: 'nothing', minutes: 40 },
    run: (walk) => auditAll(walk, sinceTime(walk.setup)),
  },
  {
    name: 'take-down',
    what: 'The stacks are deleted. The journal stays, protected.',
    plan: { creates: 'nothing', usd: 0, moves: 'nothing', minutes: 15 },
    removes: ['stacks'],
    run: takeDown,
  },
  {
    name: 'deploy-again',
    what: 'A new deployment takes the journal over: known ids move nothing.',
    plan: { creates: 'the four stacks again', usd: IDLE_HOUR, moves: 'nothing', minutes: 25 },
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
    plan: { creates: 'nothing', usd: 0, moves: 'nothing', minutes: 15 },
    removes: ['stacks'],
    run: takeDown,
  },
]

const DESTROY: Step = {
  name: 'destroy',
  what: 'What is left is deleted: stacks, journal, keys and backups, for good.',
  plan: { creates: 'nothing', usd: 0, moves: 'nothing', minutes: 10 },
  removes: ['stacks', 'journal', 'secrets', 'halt', 'denial', 'role', 'backups', 'restored'],
  run: destroyAll,
}

/** In order. The last one runs only with --destroy. */
export function stepsOf(isDestroying: boolean): readonly Step[] {
  return isDestroying ? [...WALK, DESTROY] : WALK
}

export const STEP_NAMES: readonly string[] = stepsOf(true).map(({ name }) => name)
