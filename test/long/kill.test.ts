import { killUnderLoad } from '../flow/_kill.ts'

killUnderLoad(200)
