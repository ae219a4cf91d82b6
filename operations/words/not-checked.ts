// Describes a plan that could not be checked. A page that shows one of these texts must not say that the plan holds.
export const NOT_LOOKED = 'whether the plan still holds could not be checked'
/** While a movement of its assets is in doubt, their balances prove nothing. */
export const NOT_COMPARED = 'balances and prices were not compared with the plan'
