/** Written by build.mjs. */
declare module "turkish:lines" {
  const lines: readonly string[];
  export default lines;
}
