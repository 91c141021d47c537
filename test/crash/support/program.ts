import { openLedger } from '../../../src/ledger/ledger.ts';
import { answer, askAndReceive } from './roles.ts';

/** The processes of the kill matrix that die. */
async function main([, , role, place = '', dir = '', project = '', task = '']: string[]): Promise<void> {
  const ledger = await openLedger(place, {});
  switch (role) {
    case 'ask':
      await askAndReceive({ ledger, project, dir }, task);
      break;
    case 'answer':
      await answer(ledger, project, task);
      break;
    default:
      throw new Error(`no role ${role}`);
  }
  await ledger.close();
}

void main(process.argv);
