import { branchTip } from '../../../git/refs.ts';
import { listRemoteRefs } from '../../../git/remote/remote-refs.ts';
import { Refusal } from '../../../schema/refusal.ts';
import { claimCommit, claimRef, requireClaim } from './claim-ref.ts';
import { branchRef, endingWith, pushTo, type RemoteContext, rememberExchanged } from './remote-context.ts';

const TRIES = 5;

/** Pushes the commits of a phase that we hold, so that another machine can continue. */
export async function pushWork(context: RemoteContext & { fence: number }, branch: string): Promise<void> {
  const { commonDir, remote, fence } = context;
  const [own, claim] = [branchRef(branch), claimRef(branch)];
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const tip = await branchTip(commonDir, branch);
    const there = await listRemoteRefs(commonDir, remote, [own, claim], endingWith(context));
    if (tip === undefined || there.get(own) === tip) return;
    await requireClaim(context, branch, there);
    const updates = [
      { ref: own, from: there.get(own), to: tip },
      { ref: claim, from: there.get(claim), to: await claimCommit(context, branch, fence, tip) },
    ];
    if (await pushTo(context, updates)) return rememberExchanged(context, branch, tip);
  }
  throw new Refusal('busy', `${branch} keeps changing at ${remote.name}.`, {
    suggestion: 'Try again.',
    code: 'busy',
  });
}
