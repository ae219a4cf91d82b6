// Handler of DeclareForeign, which people call. It connects its clients, and passes each request to declare-foreign.ts.
import { declareForeignRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { wireDoubts } from '../runtime/doubt-wiring.ts'
import type { MakeHandler } from '../runtime/handler.ts'
import { frameSignedRequests, wireAuthentication } from '../runtime/people-frame.ts'
import { declareForeign } from './declare-foreign.ts'

export const makeDeclareForeignHandler: MakeHandler = (env) => {
  const { store, ...ports } = wireDoubts(env)
  return frameSignedRequests(
    Verb.DeclareForeign,
    declareForeignRequest,
    wireAuthentication(env, store),
    (request, speaker) => declareForeign(request, speaker, ports),
  )
}
