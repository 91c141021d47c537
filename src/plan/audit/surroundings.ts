/** Facts about where a plan is to be carried out. What is left out is not known, and nothing is said about it. */
export interface Surroundings {
  /** Programs that can be started, as a command would name them: `npm`, `./check.sh`. */
  programs?: ReadonlySet<string>;
  /** The scripts of the package's manifest. */
  scripts?: ReadonlySet<string>;
  /** Names of the agents that are defined, in lower case. */
  agents?: ReadonlySet<string>;
}
