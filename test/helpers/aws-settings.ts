// Sets the AWS SDK's own settings, as a person's shell has them: clients of the test find an AWS at an address of this machine.
import { vi } from 'vitest'

interface Settings {
  readonly region?: string
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Variables of the address: `AWS_ENDPOINT_URL`, or those of single services. */
  readonly variables?: readonly string[]
}

/** Until the test or its hooks take stubs away. */
export function settingsOfAws(
  endpointUrl: string,
  { region = 'eu-west-1', credentials = TEST_KEY, variables = ['AWS_ENDPOINT_URL'] }: Settings = {},
): void {
  for (const variable of variables) vi.stubEnv(variable, endpointUrl)
  vi.stubEnv('AWS_REGION', region)
  signWith(credentials)
}

/** From here on requests are signed with this access key. */
export function signWith({ accessKeyId, secretAccessKey }: NonNullable<Settings['credentials']>): void {
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId)
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey)
}

const TEST_KEY = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret' }
