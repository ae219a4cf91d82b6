/** The payouts policy of treasury.json that pays the files. */
export const POLICY = 'salaries'
