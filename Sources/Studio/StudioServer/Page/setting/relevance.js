// Which parameters have an effect with the chosen kinds. The others are folded away, and say what they need.

const TESTS = {
  is: (value, values) => values.includes(value),
  not: (value, values) => !values.includes(value),
  above: (value, limit) => Number(value) > limit,
  below: (value, limit) => Number(value) < limit,
};

/// Null if the parameter has an effect, otherwise what it needs.
export function missingCondition(declarations, setting, name) {
  const holds = ({ name: other, ...tests }) =>
    Object.entries(tests).every(([test, argument]) => TESTS[test](declarations.value(setting, other), argument));
  const missing = declarations.byName.get(name).conditions.find(({ ways }) => !ways.some(holds));
  return missing?.text ?? null;
}
