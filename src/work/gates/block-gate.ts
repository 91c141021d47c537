import { join } from 'node:path';
import { ownRun } from '../../agents/agent-task.ts';
import {
  answerByFile,
  closeGateFile,
  ensureGateFile,
  replaceFile,
} from '../../channels/gate-file/answer-by-file.ts';
import { lookFile } from '../../channels/gate-file/look-file.ts';
import { gateFileText } from '../../channels/gate-file/template.ts';
import { MAX_TIMER } from '../../config/duration.ts';
import { crashPoint } from '../../ledger/crash-point.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { isFinal } from '../../ledger/notifications/notification-machine.ts';
import type { By } from '../../schema/actor.ts';
import type { HumanGate } from '../../schema/gate.ts';
import type { Notification } from '../../schema/notification.ts';
import { Refusal } from '../../schema/refusal.ts';
import { fenceOf } from '../phases/hold.ts';
import { fitMaterial, type Material } from './fit-material.ts';
import type { GateQuestion } from './gate-questions.ts';
import { materialText } from './material.ts';
import type { SeenState } from './seen-content.ts';

export interface WantedGate {
  gate: Omit<HumanGate, 'file' | 'material'>;
  /** The task that waits, or what else needs approval. */
  sourceId: string;
  /** How many earlier answers are outdated because the work changed; if any, a person is asked again. */
  outdated?: number;
  questions: GateQuestion[];
  /** Called only if a person may still look at it. */
  material(): Promise<Material[]>;
}

export interface GateWait {
  timeoutMs: number | undefined;
  /** What the person looks at (`files`). */
  state?: SeenState;
  signal: AbortSignal;
  /** Who answers when the file is filled in: the owner of this account. */
  person: By;
  /** The folder with the JSON Schemas. */
  schemas: string;
  tell(sentence: string): void;
  /** Called once if the gate has to wait. */
  onOpen?(): Promise<unknown>;
  /** Says how to answer the gate, if nothing else shows it to a person. */
  announce?(gate: Notification): void;
  /** Called when the wait for a person begins and ends; not called if there is already an answer. */
  onWait?(waits: boolean): void;
  /** A periodic heartbeat while waiting. */
  alive?(): Promise<unknown>;
}

const ALIVE_MS = 30 * 60 * 1000;

/** Where gates are stored: the ledger, and a folder for their files. */
export interface GatePlace {
  ledger: Ledger;
  projectId: string;
  by: By;
  storage: string;
  fence?: number;
}

/** Opens the gate, or continues an open one, and waits for a person. Returns only an answer; anything else is a refusal. */
export async function blockGate(place: GatePlace, wanted: WantedGate, wait: GateWait): Promise<Notification> {
  const asked = await askGate(place, wanted);
  crashPoint('gate.asked');
  const settled = isFinal(asked.status) ? asked : await waitForGate(place, asked, wait);
  crashPoint('gate.settled');
  withoutFile(wait, () => closeGateFile(settled));
  if (settled.status !== 'delivered') {
    await place.ledger.notifications.markDelivered(place.projectId, settled.id, place.by);
  }
  if (settled.outcome === 'answered') return settled;
  throw new Refusal(
    settled.outcome ?? 'withdrawn',
    `The gate was ${settled.outcome}: ${settled.reason ?? 'no reason given'}.`,
    {
      suggestion: 'Run the command again to open a new gate.',
      data: { notification: settled.id },
    },
  );
}

async function askGate(place: GatePlace, wanted: WantedGate): Promise<Notification> {
  const { ledger, projectId, by, storage } = place;
  const { gate, sourceId, questions, outdated = 0 } = wanted;
  const fence = fenceOf(place);
  const name = [fileName(sourceId), gate.kind, gate.round, ...(outdated > 0 ? [outdated] : [])].join('-');
  const file = join(storage, 'gates', `${name}.yaml`);
  const before = (await ledger.notifications.asked(projectId, 'gate', sourceId)).findLast(
    (each) => each.gate?.kind === gate.kind && each.gate.round === gate.round,
  );
  const isNeeded = outdated > 0 || !before || before.status === 'open' || before.outcome !== 'answered';
  const material = isNeeded ? fitMaterial(await wanted.material()) : [];
  const input = {
    projectId,
    source: 'gate' as const,
    sourceId,
    questions: material.length > 0 ? pointingTo(lookFile(file), questions) : questions,
    gate: { ...gate, file, material },
    ...ownRun(process.env),
    ...(outdated > 0 ? { again: true } : {}),
    // If the caller holds the task and waits here, it keeps the task.
    ...(fence === undefined ? {} : { fence, keep: true }),
  };
  return (await ledger.notifications.create(input, by)).notification;
}

/** Tells the person who is asked where the material is. */
function pointingTo(path: string, [first, ...rest]: GateQuestion[]): object[] {
  const context = [first?.context, `What to review: ${path}`].filter(Boolean).join('\n');
  return [{ ...first, context }, ...rest];
}

async function waitForGate(place: GatePlace, asked: Notification, wait: GateWait): Promise<Notification> {
  const { ledger, projectId } = place;
  const path = asked.gate?.file ?? '';
  const pieces = asked.gate?.material ?? [];
  const schema = join(wait.schemas, `gate-file-${asked.gate?.kind}.json`);
  withoutFile(wait, () => {
    if (pieces.length > 0) replaceFile(lookFile(path), materialText(asked));
    ensureGateFile(path, gateFileText(asked, schema));
  });
  crashPoint('gate.file');
  await wait.onOpen?.();
  wait.announce?.(asked);
  const over = new AbortController();
  const timer =
    wait.timeoutMs === undefined
      ? undefined
      : setTimeout(() => over.abort('timed_out'), Math.min(wait.timeoutMs, MAX_TIMER));
  const heart = setInterval(() => void wait.alive?.().catch((error: unknown) => over.abort(error)), ALIVE_MS);
  const signal = AbortSignal.any([over.signal, wait.signal]);
  const byFile = answerByFile(ledger, asked, path, wait.person, signal).catch((error: Error) =>
    wait.tell(`Fermata stopped reading ${path}: ${error.message}`),
  );
  wait.onWait?.(true);
  try {
    const settled = await ledger.notifications.wait(projectId, asked.id, signal);
    if (settled) return settled;
    throw notAnswered(asked, over.signal.aborted ? over.signal.reason : 'interrupted');
  } finally {
    wait.onWait?.(false);
    clearTimeout(timer);
    clearInterval(heart);
    over.abort('over');
    await byFile;
  }
}

/** A gate can be answered without its file, so a full or read-only disk is reported but stops nothing else. */
function withoutFile(wait: GateWait, work: () => void): void {
  try {
    work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    wait.tell(
      `Cannot write the gate file: ${(error as Error).message}. You can still answer the gate in the inbox.`,
    );
  }
}

/** Silence is never an approval: the gate stays open, and asking again continues the same one. */
function notAnswered({ id, gate }: Notification, why: unknown): unknown {
  if (why !== 'timed_out' && why !== 'interrupted') return why;
  const message = why === 'timed_out' ? 'Nobody has answered yet.' : 'Interrupted before anybody answered.';
  return new Refusal(why, `${message} The ${gate?.kind} gate ${id} stays open.`, {
    suggestion: 'Run the same command again to keep waiting. What you wrote in the gate file is kept.',
    data: { notification: id, file: gate?.file },
    code: 'waiting',
  });
}

function fileName(sourceId: string): string {
  return sourceId.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 150);
}
