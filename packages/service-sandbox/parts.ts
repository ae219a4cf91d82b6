// Parts of the sandbox for use by themselves: by benchmarks, and by judges who know the seed. Not a stable interface.
export { amount, formatAmount } from './service/amount.ts'
export { findAsset } from './service/assets.ts'
export { seededContacts } from './service/contacts.ts'
export { findMarketOf, MARKETS, marketOf } from './service/markets.ts'
export { Prices } from './service/prices.ts'
export { seededNumber } from './service/seeded.ts'
export { Service } from './service/service.ts'
export { NOBODY, World } from './service/world.ts'
