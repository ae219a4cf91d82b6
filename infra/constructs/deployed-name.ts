// Gives constructs the environment that they are deployed in, and the names that follow from it or that the account
// gives. Each stack sets both once, for everything in it.
import type { Construct } from 'constructs'
import { busName, deployedName, type GivenNames, journalName } from '../../core/contract/deployed-names.ts'

const ENVIRONMENT = 'sluice:environment'
const GIVEN = 'sluice:given-names'

/** Call this function before anything is created in `scope`. */
export function setEnvironment(scope: Construct, environment: string | undefined, given: GivenNames): void {
  scope.node.setContext(ENVIRONMENT, environment)
  scope.node.setContext(GIVEN, given)
}

export function environmentIn(scope: Construct): string | undefined {
  return scope.node.tryGetContext(ENVIRONMENT)
}

/** The deployed form of `name`, in the environment of `scope`. */
export function nameIn(scope: Construct, name: string): string {
  return deployedName(name, environmentIn(scope))
}

/** Name of the bus: that of the account, or else that of the deployment. */
export function busIn(scope: Construct): string {
  return busName(environmentIn(scope), givenIn(scope))
}

/** Name of the journal's table: that of the account, or else that of the deployment. */
export function journalIn(scope: Construct): string {
  return journalName(environmentIn(scope), givenIn(scope))
}

/** Whether the account has the resource already, so that the deployment makes none. */
export function isGiven(scope: Construct, what: keyof GivenNames): boolean {
  return givenIn(scope)[what] !== undefined
}

/** The id of a rule on the bus. A rule cannot move to another bus, so a rule there is another resource. */
export function idOnBus(scope: Construct, id: string): string {
  return isGiven(scope, 'bus') ? `${id}On${busIn(scope)}` : id
}

function givenIn(scope: Construct): GivenNames {
  return scope.node.tryGetContext(GIVEN) ?? {}
}
