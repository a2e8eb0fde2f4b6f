import { testAxis, withArg } from './table.ts'

testAxis({
  good: [],
  bad: [],
  judged: [
    {
      line: 'arg X.a <= 1.5',
      holds: [
        withArg(1.5),
        withArg(1.4999),
        withArg(0),
        withArg(-0),
        withArg(-899999999999999),
        withArg([1, 1.5]),
      ],
      refuses: [
        withArg(1.5001),
        withArg(1.00001),
        withArg(0.1 + 0.2),
        withArg(-9e14),
        withArg(-1e300),
        withArg(1e-7),
        withArg('1'),
        withArg(true),
        withArg(null),
        withArg(NaN),
        withArg(-Infinity),
        withArg(1n),
        withArg([1, 2]),
        withArg({}),
        withArg({ __extn: { fn: 'decimal', arg: '1.0' } }),
      ],
      code: 'arg_refused',
    },
    {
      line: 'arg X.a >= -0.0001',
      holds: [withArg(-0.0001), withArg(0), withArg(899999999999999)],
      refuses: [withArg(-0.0002), withArg(9e14), withArg('0')],
      code: 'arg_refused',
    },
    {
      // As doubles these are one number; as decimals they are not.
      line: 'arg X.a <= 899999999999999.0700',
      refuses: [withArg(899999999999999.125)],
      code: 'arg_refused',
    },
  ],
})
