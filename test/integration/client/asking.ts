// Makes a client of a server that gives one answer.
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { setUpClient } from '../../helpers/client-setup.ts'
import { answerJson } from '../../helpers/local-server.ts'

export async function all<Item>(walk: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of walk) items.push(item)
  return items
}

export async function asking(json: unknown, ask: (client: ServiceClient) => Promise<unknown>) {
  const { server, client } = await setUpClient((_request, response) => answerJson(response, 200, json))
  const outcome = await ask(client).then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  )
  return { ...outcome, sent: server.arrived[0] }
}
