/** Facts about where a plan will run. A missing field is unknown, and no rule reports on it. */
export interface Surroundings {
  /** Programs that can be started, as a command would name them: `npm`, `./check.sh`. */
  programs?: ReadonlySet<string>;
  /** The scripts of the package's manifest. */
  scripts?: ReadonlySet<string>;
  /** The names of the defined agents, in lower case. */
  agents?: ReadonlySet<string>;
}
