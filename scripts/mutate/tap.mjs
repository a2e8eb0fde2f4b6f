/** Stands for `tap` in the tests: always the subtest under which the file of the moment runs. */
export default new Proxy(
  {},
  {
    get(_, name) {
      const test = globalThis.mutationTest
      const member = test[name]
      return typeof member === 'function' ? member.bind(test) : member
    },
  },
)
