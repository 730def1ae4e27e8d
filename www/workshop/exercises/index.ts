// The seven exercises in the order in which they are offered.
import type { Exercise, Id } from "./exercise";
import { fixedExercise, nanExercise, raceExercise, sumExercise } from "./gradients";
import { boundsExercise, freeExercise, packedExercise } from "./lookups";

export const EXERCISES: readonly Exercise[] = [
  boundsExercise,
  nanExercise,
  packedExercise,
  raceExercise,
  sumExercise,
  freeExercise,
  fixedExercise,
];

export const exerciseOf = (id: Id): Exercise => EXERCISES.find((one) => one.id === id) ?? boundsExercise;
