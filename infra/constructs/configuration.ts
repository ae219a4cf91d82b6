// Shows people the deployed configuration: policies and guards in the template's metadata, and their hash as an output
// and as a parameter of Systems Manager. The function Describe returns the whole file.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CfnOutput, type Stack } from 'aws-cdk-lib'
import { CfnParameter } from 'aws-cdk-lib/aws-ssm'
import type { Treasury } from '../../core/contract/treasury.ts'
import { hashConfiguration } from '../../core/treasury/config.ts'
import { PACKAGE_ROOT } from '../package-root.cjs'
import { nameIn } from './deployed-name.ts'

const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
  readonly version: string
}

export const RELEASE = version

/** Most characters in the metadata. CloudFormation takes templates of at most 1 MB, and resources take some 100 kB. */
const MOST_CHARACTERS = 500_000
const LEFT_OUT = {
  leftOut: 'guards, policies and waives are too large for a template: sluice setup diff --aws asks the deployment',
}

export function declareConfiguration(stack: Stack, treasury: Treasury): void {
  const { guards, policies, waives } = treasury
  const configuration = hashConfiguration(treasury)
  const shown = { guards, policies, waives }
  // Measured in the form in which the CDK writes it.
  const isSmall = JSON.stringify(shown, undefined, 1).length <= MOST_CHARACTERS
  stack.templateOptions.metadata = { Sluice: { release: RELEASE, configuration, ...(isSmall ? shown : LEFT_OUT) } }
  new CfnOutput(stack, 'Configuration', { value: configuration, description: 'SHA-256 of treasury.json as deployed.' })
  new CfnParameter(stack, 'ConfigurationHash', {
    name: nameIn(stack, 'sluice-configuration'),
    type: 'String',
    value: configuration,
    description: 'SHA-256 of treasury.json as deployed: sluice setup diff --aws shows what a file would change.',
  })
}
