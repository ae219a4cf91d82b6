// Makes the names of the resources of a deployment. The code writes each name without an environment, and a desk uses these
// names unchanged. In the account the environment stands before the name, so that two environments never collide. A bus or a
// table that the account had before keeps its own name.
import { EVENT_BUS } from './events.ts'
import { JOURNAL_TABLE } from './records.ts'
import { StateMachine, type Verb } from './states.ts'

/** Group of the policies' schedules. Each schedule has the name of its policy. */
export const SCHEDULE_GROUP = 'sluice'

/** Group of the schedules that every deployment has: of the audit, and of LookAgain. */
export const CHECKS_GROUP = 'sluice-checks'

/** The key that signs people's decisions, under its alias without the environment's prefix. */
const DECISION_KEY = 'sluice-decisions'
/** The role of the function Decide, which alone may sign with that key. The key's policy knows it by this name. */
export const DECIDE_ROLE = 'sluice-decide'

export function decisionKeyAlias(environment: string | undefined): string {
  return `alias/${deployedName(DECISION_KEY, environment)}`
}

/** The home role, which ties an environment to one region. Nobody can assume it. */
export const HOME_ROLE = 'sluice-home'

/**
 * ARN of a role by its name. `path`: `aws.rolePath` of treasury.json, which is a part of the ARN. Undefined: the role has
 * no path of its own.
 */
export function roleArn(
  name: string,
  {
    account,
    partition,
    path = '/',
  }: { readonly account: string; readonly partition: string; readonly path: string | undefined },
): string {
  return `arn:${partition}:iam::${account}:role${path}${name}`
}

/** Names of resources that the account has already, in place of those that a deployment makes otherwise. */
export interface GivenNames {
  readonly bus?: string | undefined
  readonly journal?: string | undefined
}

/** `settings`: `aws` of treasury.json, where each is a name or an ARN. */
export function givenNames(
  settings: { readonly eventBus?: string | undefined; readonly journalTable?: string | undefined } | undefined,
): GivenNames {
  return { bus: nameInArn(settings?.eventBus), journal: nameInArn(settings?.journalTable) }
}

/** The last part of an ARN, or the name itself. */
export function nameInArn(given: string | undefined): string | undefined {
  return given?.split(/[/:]/).at(-1)
}

/** `environment`: as in treasury.json. Undefined: the name has no prefix. */
export function deployedName(name: string, environment: string | undefined): string {
  return environment === undefined ? name : `${environment}-${name}`
}

export function busName(environment: string | undefined, { bus }: GivenNames): string {
  return bus ?? deployedName(EVENT_BUS, environment)
}

export function journalName(environment: string | undefined, { journal }: GivenNames): string {
  return journal ?? deployedName(JOURNAL_TABLE, environment)
}

/** Name of the parameter of Systems Manager by which one deployment alone uses a resource of the account. */
export function useParameter(what: 'bus' | 'journal', resource: string): string {
  return `sluice-use-of-${what}-${resource}`
}

/** Name of a verb's function, without the environment's prefix. */
export function functionName(verb: Verb): string {
  return `sluice-${verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The state machine in an execution's ARN, in any environment. Undefined for a foreign state machine. */
export function machineOf(executionArn: string): StateMachine | undefined {
  const [deployed = ''] = executionArn.split(':').slice(-2)
  return Object.values(StateMachine).find((name) => deployed === name || deployed.endsWith(`-${name}`))
}

/**
 * Name of the vault that keeps the journal's backups, in this region and in the region of copies. A vault keeps its key
 * for good. Under a KMS key of the user's own (`keyArn`) the vault is therefore a different one, and its name ends with
 * the end of the key's id.
 */
export function backupVault(keyArn: string | undefined): string {
  return keyArn === undefined ? 'sluice-journal-backups' : `sluice-journal-backups-${keyArn.slice(-8)}`
}
