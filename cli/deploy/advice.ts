// Advises what to do after a deployment. Pure.
import { commandIn, deployCommand, verifyCommand } from '../terminal/command-line.ts'

/** Advice after a success. The schedules of a first deployment wait until its keys are verified. */
export function nextAfterDeploy(config: string | undefined): string {
  return `next:  ${verifyCommand(config)}   # does it work? until its keys are verified, schedules start nothing`
}

/** Advice after a failure of the CDK. `broken`: rules that the templates break, for which it deploys nothing. */
export function nextAfterFailedDeploy(broken: readonly string[], config: string | undefined): readonly string[] {
  if (broken.length > 0)
    return [
      'nothing was deployed, because the templates break a rule that each deployment keeps:',
      ...broken.map((rule) => `       ${rule}`),
      'next:  report it with the lines above, unless you have changed infra/ yourself',
    ]
  // AWS has answered before, so credentials and a region are there.
  const given = config === undefined ? {} : { config }
  return [
    `next:  what would prevent it: ${commandIn('setup doctor --aws --before-deploy', given)}`,
    '       once for each account and region: npx cdk bootstrap',
    // The CDK protects the stack before it creates it. When the creation fails, it cannot delete the stack.
    '       a stack "cannot be deleted while TerminationProtection is enabled", after its first creation has failed:',
    '       aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name SluiceState',
    '       (in an environment, ENVIRONMENT-SluiceState; the journal is protected by itself)',
    `       then: ${deployCommand(config)}`,
  ]
}
