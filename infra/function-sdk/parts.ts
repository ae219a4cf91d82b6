// What the clients of the SDK import of its own packages, for a function that moves money: bundle.ts puts this file in the
// place of each of them. A quote lives for seconds, and these packages are half of what a function loads and runs before it
// can send one. What they look for (profiles, endpoints of many kinds, ways to sign, a user agent) is the same in
// every function. Kept of the SDK: its clients and commands, its descriptions of what they send, its errors, its retries
// and its handler of HTTP. A name that a later SDK wants and that is not here breaks the bundle when it is written.

export { Client, makeBuilder } from './client.ts'
export { AwsJson1_0Protocol, AwsJson1_1Protocol, ServiceException, TypeRegistry } from './json-protocol.ts'

/** Where a value of the configuration comes from in the SDK: the environment, a profile, a default. A function has no profile. */
interface Source<Value> {
  readonly environmentVariableSelector?: (env: NodeJS.ProcessEnv) => Value | undefined
  readonly default?: Value | (() => Value | Promise<Value>)
}

type Provider<Value> = () => Promise<Value>
type Config = Record<string, unknown>

const asProvider =
  <Value>(value: Value | (() => Value | Promise<Value>)): Provider<Value> =>
  async () =>
    value instanceof Function ? value() : value

export const normalizeProvider = asProvider

export const loadConfig =
  <Value>({ environmentVariableSelector, default: otherwise }: Source<Value>): Provider<Value | undefined> =>
  async () =>
    environmentVariableSelector?.(process.env) ?? (otherwise instanceof Function ? otherwise() : otherwise)

export const NODE_REGION_CONFIG_OPTIONS: Source<string> = {
  environmentVariableSelector: ({ AWS_REGION }) => AWS_REGION || undefined,
  default: () => {
    throw new Error('Region is missing')
  },
}

export function resolveRegionConfig(config: Config): Config {
  return Object.assign(config, { region: asProvider(config.region) })
}

export function resolveAwsSdkSigV4Config(config: Config): Config {
  const { credentials, credentialDefaultProvider } = config
  const environment = credentialDefaultProvider as () => Provider<unknown>
  return Object.assign(config, { credentials: credentials === undefined ? environment() : asProvider(credentials) })
}

/** Sets of defaults, of which a function names none. */
export const resolveDefaultsModeConfig = () => async () => 'legacy'

/** What a function has none of, or says nothing of: its configuration stays as it is. */
const unchanged = (config: Config): Config => config

export {
  unchanged as resolveAccountIdEndpointModeConfig,
  unchanged as resolveEndpointConfig,
  unchanged as resolveEndpointDiscoveryConfig,
  unchanged as resolveHostHeaderConfig,
  unchanged as resolveUserAgentConfig,
}

const nothing = () => undefined
const noSource: Source<undefined> = {}
const noPlugin = () => ({ applyToStack: nothing })
const noPart = () => ({})
const noClass = class {}

export {
  noClass as AwsSdkSigV4Signer,
  noClass as Command,
  noClass as DynamoDBJsonCodec2,
  noClass as EndpointCache,
  noClass as NoOpLogger,
  noClass as Sha256,
  noPart as WaiterState,
  noPart as customEndpointFunctions,
  noPart as awsEndpointFunctions,
  noPart as getAwsRegionExtensionConfiguration,
  noPart as resolveAwsRegionExtensionConfiguration,
  noPart as getDefaultExtensionConfiguration,
  noPart as loadConfigsForDefaultMode,
  noPart as getHttpHandlerExtensionConfiguration,
  noPart as resolveHttpHandlerRuntimeConfig,
  noPart as resolveDefaultRuntimeConfig,
  noPlugin as getContentLengthPlugin,
  noPlugin as getEndpointPlugin,
  noPlugin as getHostHeaderPlugin,
  noPlugin as getLoggerPlugin,
  noPlugin as getRecursionDetectionPlugin,
  noPlugin as getSchemaSerdePlugin,
  noPlugin as getUserAgentPlugin,
  noSource as NODE_ACCOUNT_ID_ENDPOINT_MODE_CONFIG_OPTIONS,
  noSource as NODE_APP_ID_CONFIG_OPTIONS,
  noSource as NODE_AUTH_SCHEME_PREFERENCE_OPTIONS,
  noSource as NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS,
  noSource as NODE_REGION_CONFIG_FILE_OPTIONS,
  noSource as NODE_USE_DUALSTACK_ENDPOINT_CONFIG_OPTIONS,
  noSource as NODE_USE_FIPS_ENDPOINT_CONFIG_OPTIONS,
  nothing as calculateBodyLength,
  nothing as checkExceptions,
  nothing as createAggregatedClient,
  nothing as createDefaultUserAgentProvider,
  nothing as createWaiter,
  nothing as decideEndpoint,
  nothing as emitWarningIfUnsupportedVersion,
  nothing as fromBase64,
  nothing as fromUtf8,
  nothing as getDefaultSocketTimeout,
  nothing as getSmithyContext,
  nothing as parseUrl,
  nothing as requestBuilder,
  nothing as streamCollector,
  nothing as toBase64,
  nothing as toUtf8,
}
export const BinaryDecisionDiagram = { from: nothing }

/** For the retries of the SDK, which number their requests and heed when a service wants to be asked again. */
export { randomUUID as v4 } from 'node:crypto'
export const parseRfc7231DateTime = (text: string) => new Date(text)
export const { hasOwn } = Object

/** What the SDK's retries are asked to send again is always one. */
export const HttpRequest = { isInstance: () => true }

/** What its handler of HTTP makes, and its retries read headers of. */
export class HttpResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: NodeJS.ReadableStream

  constructor({ statusCode, headers, body }: HttpResponse) {
    this.statusCode = statusCode
    this.headers = headers
    this.body = body
  }

  static isInstance(given: unknown): boolean {
    return given instanceof HttpResponse
  }
}

/** No request of a function has a query. */
export const buildQueryString = () => ''
