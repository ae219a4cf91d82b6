// Reads HTTP APIs of API Gateway from their resolved properties: an API, its default stage, and routes with IAM that call a
// function. Refuses other authorisation, integrations and stages.
// Source: CloudFormation template reference, AWS::ApiGatewayV2.

import { Refusal } from '../aws-error.ts'
import type { Fields } from '../fields.ts'
import { type HttpApi, type HttpRoute, parseRouteKey } from '../lambda/http-apis.ts'
import type { Placed } from './identity.ts'
import { allowsService, type Grant } from './read-grants.ts'

interface Declared {
  readonly apiId: string
  readonly path: string
}

export class HttpApiReader {
  readonly #apis: (Placed & { readonly id: string })[] = []
  readonly #integrations = new Map<string, Declared & { readonly functionArn: string }>()
  readonly #routes: (Declared & { readonly key: string; readonly integration: string })[] = []
  readonly #stages: Declared[] = []

  /** Returns whether the resource is a part of an API. */
  add(type: string, properties: Fields, placed: Placed): boolean {
    const { path } = placed
    switch (type) {
      case 'AWS::ApiGatewayV2::Api': {
        properties.ignore(['Name', 'Description', 'DisableExecuteApiEndpoint', 'Tags'])
        const protocol = properties.text('ProtocolType')
        if (protocol !== 'HTTP') throw properties.refuse('ProtocolType', `${protocol} is not supported`)
        this.#apis.push({ ...placed, id: placed.arn.split(':').at(-1) ?? '' })
        return true
      }
      case 'AWS::ApiGatewayV2::Integration':
        only(properties, 'IntegrationType', 'AWS_PROXY')
        only(properties, 'PayloadFormatVersion', '2.0')
        this.#integrations.set(placed.name, {
          path,
          apiId: properties.text('ApiId'),
          functionArn: properties.text('IntegrationUri'),
        })
        return true
      case 'AWS::ApiGatewayV2::Route':
        properties.ignore(['OperationName'])
        only(properties, 'AuthorizationType', 'AWS_IAM')
        this.#routes.push({
          path,
          apiId: properties.text('ApiId'),
          key: properties.text('RouteKey'),
          integration: properties.text('Target').replace(/^integrations\//, ''),
        })
        return true
      case 'AWS::ApiGatewayV2::Stage':
        properties.ignore(['AccessLogSettings', 'DefaultRouteSettings', 'Tags'])
        only(properties, 'StageName', '$default')
        if (properties.raw('AutoDeploy') !== true) throw properties.refuse('AutoDeploy', 'must be true')
        this.#stages.push({ path, apiId: properties.text('ApiId') })
        return true
      default:
        return false
    }
  }

  /** Throws Refusal for an API without a stage, and for a function that API Gateway may not call. */
  read(grants: readonly Grant[], functions: readonly { readonly arn: string }[]): readonly HttpApi[] {
    return this.#apis.map(({ arn, id, name, path }) => {
      if (!this.#stages.some(({ apiId }) => apiId === id)) throw new Refusal(path, 'has no stage')
      const routes = this.#routes.filter(({ apiId }) => apiId === id)
      return { id, name, arn, routes: routes.map((route) => this.#route(arn, route, grants, functions)) }
    })
  }

  #route(
    apiArn: string,
    { apiId, integration, key, path }: Declared & { readonly key: string; readonly integration: string },
    grants: readonly Grant[],
    functions: readonly { readonly arn: string }[],
  ): HttpRoute {
    const parsed = parseRouteKey(key)
    if (parsed === undefined) throw new Refusal(path, `RouteKey: ${key} is not supported`)
    const found = this.#integrations.get(integration)
    if (found?.apiId !== apiId) throw new Refusal(path, `Target: the API has no integration ${integration}`)
    const { functionArn } = found
    if (!functions.some(({ arn }) => arn === functionArn)) {
      throw new Refusal(found.path, `IntegrationUri: no function of the assembly: ${functionArn}`)
    }
    const toApi = { principal: 'apigateway.amazonaws.com', action: 'lambda:InvokeFunction', resourceArn: functionArn }
    // API Gateway names the stage, the method and the path of the route, with its parameters as they are written.
    const source = `${apiArn}/$default/${parsed.method}/${parsed.segments.join('/')}`
    if (!allowsService(grants, toApi, source)) {
      throw new Refusal(path, `no AWS::Lambda::Permission lets API Gateway call ${functionArn} for ${source}`)
    }
    return { ...parsed, key, functionArn }
  }
}

function only(properties: Fields, name: string, value: string): void {
  const given = properties.text(name)
  if (given !== value) throw properties.refuse(name, `${given} is not supported; only ${value} is`)
}
