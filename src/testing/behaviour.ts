/** How the versions of the imitated program differ, as measured with the real ones. */
export interface Behaviour {
  version: string;
  /**
   * What happens to a question if nobody can be asked (plain `-p`): the tool does not exist and the turn continues; or
   * the tool exists and is refused; or the run ends and waits to be resumed, which no real version did.
   */
  unattendedQuestion: 'no_tool' | 'refused' | 'ends';
  /** Assistant events carry a timestamp, and `type` is not the first key of a result. */
  newShape: boolean;
  /** A session can be resumed from another folder. */
  resumesAnywhere: boolean;
  /** A parked question is asked again through the hook first, after `initialize`; otherwise at once, without the hook. */
  hookOnResume: boolean;
  /** A parked question next to another tool call still takes its answer. */
  parksBesideOthers: boolean;
  /** A call that was open when the process died stays in the history. */
  keepsOpenCall: boolean;
}

const oldest: Behaviour = {
  version: '2.1.29',
  unattendedQuestion: 'refused',
  newShape: false,
  resumesAnywhere: false,
  hookOnResume: false,
  parksBesideOthers: false,
  keepsOpenCall: false,
};

const newest: Behaviour = {
  version: '2.1.325',
  unattendedQuestion: 'no_tool',
  newShape: true,
  resumesAnywhere: true,
  hookOnResume: true,
  parksBesideOthers: true,
  keepsOpenCall: true,
};

export const behaviours = {
  '2.1.29': oldest,
  '2.1.197': { ...oldest, version: '2.1.197', unattendedQuestion: 'no_tool' },
  '2.1.325': newest,
  /** What the seed of this project assumed: in plain `-p`, a question ends the run until `--resume`. */
  seed: { ...newest, unattendedQuestion: 'ends' },
} as const satisfies Record<string, Behaviour>;

export type BehaviourName = keyof typeof behaviours;
export const behaviourNames = Object.keys(behaviours) as BehaviourName[];
