/** The engine that tests of the wire run on: the default, or the general one where a suite says so before it loads them. */
export const testEngine = process.env['NARROWGATE_TEST_ENGINE'] === 'general' ? 'general' : 'fast'
