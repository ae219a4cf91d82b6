// Owns how people see what a deployment runs with: policies and guards in the template's metadata, their hash as an output
// and as a parameter of Systems Manager. The function Describe tells the whole file.
import { readFileSync } from 'node:fs'
import { CfnOutput, type Stack } from 'aws-cdk-lib'
import { CfnParameter } from 'aws-cdk-lib/aws-ssm'
import type { Treasury } from '../../core/contract/treasury.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import { nameIn } from './deployed-name.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

/** Version of Sluice. */
export const RELEASE = version

/** CloudFormation takes templates of at most 1 MB. Some 100 kB are resources. */
const MOST_CHARACTERS = 500_000
const LEFT_OUT = {
  leftOut: 'guards, policies and waives are too large for a template: sluice setup diff --aws asks the deployment',
}

export function declareConfiguration(stack: Stack, treasury: Treasury): void {
  const { guards, policies, waives } = treasury
  const configuration = hashConfiguration(treasury)
  const told = { guards, policies, waives }
  // As the CDK writes it.
  const isSmall = JSON.stringify(told, undefined, 1).length <= MOST_CHARACTERS
  stack.templateOptions.metadata = { Sluice: { release: RELEASE, configuration, ...(isSmall ? told : LEFT_OUT) } }
  new CfnOutput(stack, 'Configuration', { value: configuration, description: 'SHA-256 of treasury.json as deployed.' })
  new CfnParameter(stack, 'ConfigurationHash', {
    name: nameIn(stack, 'sluice-configuration'),
    type: 'String',
    value: configuration,
    description: 'SHA-256 of treasury.json as deployed: sluice setup diff --aws shows what a file would change.',
  })
}
