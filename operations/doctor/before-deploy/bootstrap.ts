// Checks the CDK's bootstrap that the templates of this deployment name. Its qualifier is a setting of the CDK, so that
// several teams can bootstrap one account. Reads only.

import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import * as z from 'zod/mini'
import { errorName } from '../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { decodeText } from '../../../core/treasury/decode-text.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { rootDir } from '../../../place/context.ts'
import { advice, type Step } from '../../../place/next-step.ts'
import { type Check, fail, notKnown, ok } from '../check.ts'
import type { Place } from './place.ts'

const CHECK = 'cdk bootstrap'
const CONTEXT_KEY = '@aws-cdk/core:bootstrapQualifier'
const DEFAULT_QUALIFIER = 'hnb659fds'
/** From this version on, a bootstrap has what current templates need. */
const LEAST_BOOTSTRAP = 6

/** The files of the CDK that may set its context. The first one that has the qualifier counts. */
const CONTEXT_FILES: readonly string[] = [
  path.join(rootDir, 'cdk.json'),
  path.join(rootDir, 'cdk.context.json'),
  path.join(homedir(), '.cdk.json'),
]

const context = z.record(z.string(), z.unknown())
const configuration = z.object({ context: z._default(context, {}) })

/** The qualifier that the cdk command passes to the templates. Throws where a file cannot be parsed. */
export function bootstrapQualifier(files: readonly string[] = CONTEXT_FILES): string {
  for (const file of files.filter((each) => existsSync(each))) {
    const content: unknown = JSON.parse(decodeText(readFileSync(file)))
    // This file is the context itself.
    const isContext = path.basename(file) === 'cdk.context.json'
    const qualifier = (isContext ? context.parse(content) : configuration.parse(content).context)[CONTEXT_KEY]
    if (typeof qualifier === 'string' && qualifier !== '') return qualifier
  }
  return DEFAULT_QUALIFIER
}

export async function bootstrapCheck({ account, region }: Place, files?: readonly string[]): Promise<Check> {
  let qualifier: string
  try {
    qualifier = bootstrapQualifier(files)
  } catch {
    return fail(CHECK, 'the context of the CDK is not JSON as expected', 'correct cdk.json and cdk.context.json')
  }
  const name = `/cdk-bootstrap/${qualifier}/version`
  const next = bootstrapStep(qualifier, { account, region })
  return withClient(new SSMClient(requestLimits(AWS_LIMITS)), async (client) => {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name }))
    const version = Number(Parameter?.Value ?? 0)
    const detail = `version ${version}, with the qualifier ${qualifier}`
    return version >= LEAST_BOOTSTRAP
      ? ok(CHECK, detail)
      : fail(CHECK, `${detail}; expected version ${LEAST_BOOTSTRAP} or later`, next)
  }).catch((error: unknown) => {
    if (errorName(error) !== 'ParameterNotFound')
      return notKnown(CHECK, error, advice`let these credentials read the parameter ${name}, or ${next}`)
    const detail = `this account and region was never bootstrapped with the qualifier ${qualifier}`
    return fail(CHECK, detail, advice`${next}${qualifier === DEFAULT_QUALIFIER ? OTHER_QUALIFIER : ''}`)
  })
}

const OTHER_QUALIFIER = `; or name the qualifier of its bootstrap: "context": {"${CONTEXT_KEY}": …} in cdk.json`

/** A stack of its own keeps the bootstrap of another qualifier as it is. */
function bootstrapStep(qualifier: string, { account, region }: Place): Step {
  const own = qualifier === DEFAULT_QUALIFIER ? {} : { qualifier }
  return { do: 'bootstrap', environment: `aws://${account}/${region}`, ...own }
}
