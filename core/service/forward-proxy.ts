// Sends the HTTPS requests of this process through a company's forward proxy, as HTTPS_PROXY and NO_PROXY say. Node does
// so only for agents that ask for it, and the AWS SDK makes some agents out of reach. So every new agent asks for it.
// Requests in the clear stay as they are: they go to this machine.
import { syncBuiltinESMExports } from 'node:module'
import { NetworkVariable } from '../contract/network-variables.ts'
import { Defect } from '../errors.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** The variables by which a process finds its proxy. The first of two spellings counts. */
export const PROXY_VARIABLES: readonly string[] = [
  ...['https_proxy', NetworkVariable.HttpsProxy, 'no_proxy', NetworkVariable.NoProxy],
  NetworkVariable.UseEnvProxy,
]

/**
 * Call this function before anything opens a connection. Without HTTPS_PROXY it does nothing.
 * @throws Defect for a variable that names no proxy, or a Node that cannot use one. It never quotes the value, which may
 * hold a password.
 */
export function useForwardProxy(variables: Variables): void {
  const name = (['https_proxy', 'HTTPS_PROXY'] as const).find((each) => variables[each])
  if (name === undefined) return
  const proxy = variables[name] ?? ''
  const protocol = URL.canParse(proxy) ? new URL(proxy).protocol : undefined
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new Defect(`${name}: expected the address of a proxy, such as http://proxy.company.example:3128`)
  const proxyEnv = { https_proxy: proxy, no_proxy: variables.no_proxy || variables.NO_PROXY || '' }
  const http = process.getBuiltinModule('node:http')
  // For fetch. NODE_USE_ENV_PROXY does the same at the start of a process, in every Node from 24.5 on.
  if (typeof http.setGlobalProxyFromEnv === 'function') http.setGlobalProxyFromEnv({ ...proxyEnv, http_proxy: '' })
  else if (variables.NODE_USE_ENV_PROXY !== '1')
    throw new Defect(`${name}: expected Node 24.14 or later, or NODE_USE_ENV_PROXY=1 beside it`)
  const https = process.getBuiltinModule('node:https')
  const { Agent } = https
  if (Object.hasOwn(Agent, PROXIED)) return
  https.Agent = class extends Agent {
    static readonly [PROXIED] = true
    constructor(options: ConstructorParameters<typeof Agent>[0]) {
      super({ proxyEnv, ...options })
    }
  }
  syncBuiltinESMExports()
}

/** Marks the agents of this file, so that a second call adds nothing. */
const PROXIED = Symbol('proxied')
