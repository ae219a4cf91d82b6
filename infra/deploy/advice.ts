// Advises what to do after a deployment, by this machine's AWS settings. The sources of credentials are in the SDK's
// own order: variables, a profile, a web identity, a container's role. A machine's role leaves no trace here. Pure.

type Variables = Readonly<Record<string, string | undefined>>

const SOURCES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
]

/** Advice after a success. The schedules of a first deployment wait until its keys are verified. */
export function nextAfterDeploy(configFile: string | undefined): string {
  const named = configFile === undefined ? '' : ` -- --config ${configFile}`
  return `next:  npm run verify:deployed${named}   # does it work? until its keys are verified, schedules start nothing`
}

/** Advice after a failure. `hasFiles`: whether ~/.aws/credentials or ~/.aws/config exists. */
export function nextAfterFailedDeploy(variables: Variables, hasFiles: boolean): readonly string[] {
  const hasCredentials = hasFiles || SOURCES.some((name) => variables[name])
  const hasRegion = hasFiles || [variables.AWS_REGION, variables.AWS_DEFAULT_REGION].some(Boolean)
  return [
    ...(hasCredentials
      ? []
      : ['error: no credentials of AWS were found: no AWS_PROFILE, no AWS_ACCESS_KEY_ID, no ~/.aws']),
    ...(hasRegion ? [] : ['error: no region was found: no AWS_REGION, no ~/.aws/config']),
    'next:  credentials: aws configure sso (or aws configure), then AWS_PROFILE=NAME; aws sts get-caller-identity shows whose they are',
    '       region: AWS_REGION=eu-west-1, or a region in the profile',
    '       once for each account and region: npx cdk bootstrap',
    // The CDK protects the stack before it creates it. When the creation fails, it cannot delete the stack.
    '       a stack "cannot be deleted while TerminationProtection is enabled", after its first creation has failed:',
    '       aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name SluiceState',
    '       (in an environment, ENVIRONMENT-SluiceState; the journal is protected by itself)',
    '       then: npm run deploy',
  ]
}
