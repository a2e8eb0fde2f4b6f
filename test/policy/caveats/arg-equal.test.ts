import { testAxis, withArg } from './table.ts'

testAxis({
  good: [],
  bad: [],
  judged: [
    {
      line: 'arg X.a = 5',
      holds: [
        withArg('5'),
        withArg(5),
        withArg(5.0),
        withArg(['5', 5]),
        { tool: 'Y' },
        { tool: 'XX' },
      ],
      refuses: [
        { tool: 'X' },
        withArg(null),
        withArg(undefined),
        withArg([]),
        withArg('5.0'),
        withArg('05'),
        withArg(5.5),
        withArg({}),
        withArg([5, 6]),
        withArg([5, null]),
        withArg([[]]),
        withArg(5n),
      ],
      code: 'arg_refused',
    },
    { line: 'arg X.a = 0', holds: [withArg(0), withArg(-0), withArg('0')] },
    {
      line: 'arg X.a = true',
      holds: [withArg(true), withArg('true')],
      refuses: [withArg(false), withArg(1)],
      code: 'arg_refused',
    },
    {
      line: 'arg X.a = 9007199254740993',
      refuses: [withArg(9007199254740992)],
      code: 'arg_refused',
    },
    {
      line: 'arg X.a = caf\u00e9',
      holds: [withArg('caf\u00e9')],
      refuses: [withArg('cafe\u0301'), withArg('CAF\u00c9')],
      code: 'arg_refused',
    },
    { line: 'arg X.a = a*', holds: [withArg('a*')], refuses: [withArg('ab')], code: 'arg_refused' },
    { line: 'arg X.a = \ufffd', refuses: [withArg('\ud800')], code: 'arg_refused' },
    {
      line: 'arg X.a in a,5,true',
      holds: [withArg('a'), withArg(5), withArg(true), withArg(['a', 5])],
      refuses: [withArg('a,5'), withArg('b'), withArg(null)],
      code: 'arg_refused',
    },
  ],
})
