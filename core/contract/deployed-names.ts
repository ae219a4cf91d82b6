// What resources of a deployment are called. The names in this code are those of a deployment without an environment, and
// of a desk. An environment stands before each of them, so that no name of one is the name of another.
import { StateMachine, type Verb } from './states.ts'

/** The group of the policies' schedules. Each is called as its policy is. */
export const SCHEDULE_GROUP = 'sluice'

/** The role that keeps an environment in one region. Nobody can assume it. */
export const HOME_ROLE = 'sluice-home'

/** `environment`: as treasury.json names it; absent: none. */
export function deployedName(name: string, environment: string | undefined): string {
  return environment === undefined ? name : `${environment}-${name}`
}

/** The function of a verb. */
export function functionName(verb: Verb): string {
  return `sluice-${verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The state machine of an execution's ARN, in any environment. Undefined where it is none of ours. */
export function machineOf(executionArn: string): StateMachine | undefined {
  const [deployed = ''] = executionArn.split(':').slice(-2)
  return Object.values(StateMachine).find((name) => deployed === name || deployed.endsWith(`-${name}`))
}

/**
 * Keeps the backups of the journal, in this region and in the one that copies go to. A vault is under one key for good, so one
 * under a KMS key of one's own (`keyArn`) is another vault, called by the end of the key's id.
 */
export function backupVault(keyArn: string | undefined): string {
  return keyArn === undefined ? 'sluice-journal-backups' : `sluice-journal-backups-${keyArn.slice(-8)}`
}
