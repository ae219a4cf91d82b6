// Describes a plan that could not be checked. A page that shows this text must not say that the plan holds.
export const NOT_LOOKED = 'whether the plan still holds could not be checked'
