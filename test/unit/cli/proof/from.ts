// Names the origin of the evidence in these tests.
import { Money, type Origin } from '../../../../operations/proof/proof-parts.ts'

export const FROM: Origin = {
  money: Money.Account,
  service: 'https://api.example.com',
  account: null,
  stage: 'test',
  environment: null,
}
